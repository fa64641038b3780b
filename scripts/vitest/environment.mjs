// For `setupFiles` of vitest: takes away what the caller set for their own work, and what tests, and the
// programs that they start, would heed. What our own commands set for tests stays: a schedule, an addon, a seed.
const OF_THE_CALLER =
  /^(ARRAY_INTERFACE_(SYCL|SYNC)|CUDA_SIMULATOR_(?!SCHEDULE$).*|FORCE_COLOR|OCL_ICD_.*|ONEAPI_DEVICE_SELECTOR|PYTHONUNBUFFERED)$/;

// The user's cache is no place for what tests compile, and they count compilers' work.
process.env.ARRAY_INTERFACE_KERNEL_CACHE = '0';

for (const name of Object.keys(process.env)) {
  if (OF_THE_CALLER.test(name)) delete process.env[name];
}
