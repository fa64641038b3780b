// Nothing: build/libcuda.so is only a name for libcuda.so.1, which it needs.
