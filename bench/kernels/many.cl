/* 24 kernels of one module, for `first-kernels`. */
#define KERNEL(NAME, EXPRESSION)                                                          \
  __kernel void NAME(__global const float *source, __global float *target, uint n) {     \
    uint i = get_global_id(0);                                                            \
    if (i >= n) return;                                                                   \
    float x = source[i];                                                                  \
    target[i] = EXPRESSION;                                                               \
  }
#define FOUR(NAME, EXPRESSION)                                                            \
  KERNEL(NAME##0, EXPRESSION)                                                             \
  KERNEL(NAME##1, EXPRESSION + 1.0f)                                                      \
  KERNEL(NAME##2, EXPRESSION * 2.0f)                                                      \
  KERNEL(NAME##3, EXPRESSION - x)
FOUR(the_exp, exp(x))
FOUR(the_sin, sin(x))
FOUR(the_pow, pow(x, 1.5f))
FOUR(the_sqrt, sqrt(x))
FOUR(the_log, log(x + 1.0f))
FOUR(the_tanh, tanh(x))
