// Code of another compiler, as an author would bring it. Made with nvcc 13.0:
//   nvcc -ptx -arch=compute_75 -o raise.ptx raise.cu
//   nvcc -cubin -arch=sm_90 -o raise.cubin raise.cu
//   nvcc -fatbin -gencode arch=compute_90,code=sm_90 -gencode arch=compute_75,code=compute_75 -o raise.fatbin raise.cu

// Adds to each value, in so many steps.
extern "C" __global__ void raise(float *values, unsigned count, float amount, unsigned steps) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  for (unsigned step = 0; step < steps; ++step) values[i] += amount;
}

// Writes far beyond its array.
extern "C" __global__ void stray(float *values) {
  values[(1ull << 40) + threadIdx.x] = 1;
}
