import { environment, run } from './run.mjs';
import { setup } from './setup.mjs';

// npm run test:schedules [-- ARGUMENTS OF VITEST]: the tests of CUDA on the simulator's other
// schedules: eager, and three random ones. npm test runs the lazy one.
const seed = Number(process.env.FAST_CHECK_SEED || Date.now() % 1_000_000);
const schedules = ['eager', ...[seed, seed + 1, seed + 2].map((one) => `random:${one}`)];

await setup();
for (const schedule of schedules) {
  console.log(`CUDA_SIMULATOR_SCHEDULE=${schedule}`);
  const env = { ...environment(), CUDA_SIMULATOR_SCHEDULE: schedule };
  const status = await run('vitest', ['run', 'packages/cuda/', ...process.argv.slice(2)], { env });
  if (status !== 0) process.exitCode = status;
}
