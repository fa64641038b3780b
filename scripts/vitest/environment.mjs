// For `setupFiles` of vitest: removes variables that the caller set for their own work, and that
// tests and the programs they start would read. Variables that this repository's commands set for
// tests stay: a schedule, an addon, a seed.
const OF_THE_CALLER =
  /^(ARRAY_INTERFACE_(SYCL|SYNC)|CUDA_SIMULATOR_(?!SCHEDULE$).*|FORCE_COLOR|OCL_ICD_.*|ONEAPI_DEVICE_SELECTOR|PYTHONUNBUFFERED)$/;

// Tests must not compile into the user's cache, and they count compilations.
process.env.ARRAY_INTERFACE_KERNEL_CACHE = '0';

for (const name of Object.keys(process.env)) {
  if (OF_THE_CALLER.test(name)) delete process.env[name];
}
