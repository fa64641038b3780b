import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { environment, root } from './run.mjs';
import { setup } from './setup.mjs';

// npm run test:schedules [-- ARGUMENTS OF VITEST]: the tests of CUDA on the simulator's other
// schedules, side by side: eager, and three random ones. npm test runs the lazy one, and each case of
// the simulator's own that the schedule could change on all of them. A quarter of the random cases.
const seed = Number(process.env.FAST_CHECK_SEED || Date.now() % 1_000_000);
const schedules = ['eager', ...[seed, seed + 1, seed + 2].map((one) => `random:${one}`)];
const reports = path.join(root, 'packages', 'cuda', '.vitest');

// They load drivers, or give them no work.
const unscheduled = ['addon', 'driver', 'entry-points', 'readme'];
// Which call fails is what it has to vary, and it takes long.
const eagerOnly = ['every-fault.simulated'];

function filesFor(schedule) {
  const without = schedule === 'eager' ? unscheduled : [...unscheduled, ...eagerOnly];
  const files = readdirSync(path.join(root, 'packages', 'cuda', 'test'));
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => !without.includes(file.replace('.test.ts', '')))
    .map((file) => `packages/cuda/test/${file}`);
}

/** Runs the tests on a schedule and gives what they wrote, their counts and their exit status. */
function runOn(schedule) {
  const report = path.join(reports, `${schedule.replace(':', '-')}.json`);
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const options = ['--maxWorkers=1', ...reporters, ...process.argv.slice(2)];
  const child = spawn('vitest', ['run', ...filesFor(schedule), ...options], {
    cwd: root,
    env: {
      ARRAY_INTERFACE_RUNS: '0.25',
      ...environment(),
      CUDA_SIMULATOR_SCHEDULE: schedule,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ schedule, text, report, status: status ?? 1 }));
  });
}

/** The counts of all runs, also in the file that TEST_COUNTS names. */
function count(outcomes) {
  const parts = outcomes.map(({ report }) => JSON.parse(readFileSync(report, 'utf8')));
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
  const counts = { numPassedTests: sum('numPassedTests'), numFailedTests: sum('numFailedTests') };
  console.log(`${counts.numPassedTests} tests passed, ${counts.numFailedTests} failed.`);
  if (process.env.TEST_COUNTS) writeFileSync(process.env.TEST_COUNTS, JSON.stringify(counts));
}

await setup();
mkdirSync(reports, { recursive: true });
const outcomes = await Promise.all(schedules.map(runOn));
for (const { schedule, text, status } of outcomes) {
  console.log(`CUDA_SIMULATOR_SCHEDULE=${schedule}\n${text.trim()}\n`);
  if (status !== 0) process.exitCode = status;
}
count(outcomes);
