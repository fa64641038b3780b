/* What devices may round in several ways, unless the compilers are told how. */
kernel void rounds(global float *results, const float a, const float b, const float c) {
  results[0] = a / b;
  results[1] = sqrt(a);
  results[2] = a * b + c;
}
