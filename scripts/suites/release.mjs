import { targets } from '../release/targets.mjs';
import { environment, run } from '../run.mjs';

// npm run test:release: runs every check at full size, one after another, and prints a table of
// results. Takes hours; run it before a release. .ci/run has the same checks, smaller.
const STAGES = [
  { command: 'npm test' },
  { command: 'npm run lint' },
  { command: 'npm run typecheck' },
  { command: 'npm run boundaries' },
  { command: 'npm run includes' },
  { command: 'npm run layout' },
  { command: 'npm run layers' },
  { command: 'npm run words' },
  { command: 'npm run tidy' },
  { command: 'npm run knip' },
  { command: 'npm run packages' },
  { command: 'npm run test:consumers' },
  { command: 'npm run api' },
  { command: 'node native/kernels/compile/assemble.mjs' },
  { command: 'node native/kernels/compile/generate.mjs --check' },
  { command: 'node scripts/check/kernels.mjs' },
  { command: 'npm run test:coverage' },
  { command: 'npm run test:browser' },
  { command: 'npm run test:ffi' },
  { command: 'npm run setup:peers' },
  { command: 'npm run setup:peers -- torch-cuda jax-cuda' },
  { command: 'npm run test:peers' },
  { command: 'npm run setup:pythons' },
  { command: 'npm run test:python' },
  { command: 'npm run test:gpu' },
  { command: 'npm run test:long', env: { ARRAY_INTERFACE_RUNS: '100' } },
  // Each run has its own seed.
  { command: 'npm run test:schedules' },
  { command: 'npm run test:schedules' },
  { command: 'npm run test:schedules' },
  { command: 'npm run test:fuzz -- 3600' },
  { command: 'npm run test:sanitizers' },
  { command: 'npm run test:node -- 20 22 24 26' },
  { command: 'npm run test:mutation' },
  // The binaries are built before the suites that run on them.
  { command: `npm run release:rehearse -- ${Object.keys(targets).join(' ')}` },
  { command: 'node scripts/release/suites.mjs' },
];

/** No check skips anything, and none has fewer random cases than npm test. */
const FULL_SIZE = { ARRAY_INTERFACE_WHOLE: '1', ARRAY_INTERFACE_RUNS: '1' };

const rows = [];
for (const { command, env = {} } of STAGES) {
  console.log(`\n=== ${command}`);
  const start = performance.now();
  const [program, ...args] = command.split(' ');
  const status = await run(program, args, {
    env: { ...environment(), ...FULL_SIZE, ...env },
  });
  const seconds = Math.round((performance.now() - start) / 1000);
  rows.push({ command, ended: status === 0 ? 'passed' : `FAILED with status ${status}`, seconds });
}
console.table(rows);
process.exitCode = rows.every(({ ended }) => ended === 'passed') ? 0 : 1;
