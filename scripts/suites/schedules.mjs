import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { environment, root } from '../run.mjs';
import { setup } from '../setup/setup.mjs';
import { explain, provide } from '../sycl/runtime.mjs';

// npm run test:schedules [-- ARGUMENTS OF VITEST]: runs the tests of CUDA on the simulator's other
// schedules (eager, and a random one), and those of SYCL on an interposer for its library (lazy,
// and a random one), two runs at a time. npm test runs CUDA on the lazy schedule and SYCL on the
// library itself. It also runs each of the simulator's own cases that depends on the schedule on
// all of them. This suite runs a quarter of the random cases, and skips tests that mostly run in
// their own processes, unless ARRAY_INTERFACE_WHOLE is 1.
const seed = Number(process.env.FAST_CHECK_SEED || Date.now() % 1_000_000);

/**
 * Tests that start processes: of faults, process ends, threads and compilers, not of the order of
 * work.
 */
const PROCESSES = [
  'background.simulated',
  'faults.simulated',
  'lifetimes',
  'live-counts',
  'no-peers.simulated',
  'share',
  'worker',
];
/** Varies which call fails, independently of the schedule, and takes long. */
const EVERY_FAULT = 'every-fault.simulated';
const isWhole = process.env.ARRAY_INTERFACE_WHOLE === '1';

/**
 * How the tests of a package run: the variables that set the schedule, and the files to which it
 * matters.
 */
const CUDA = {
  folder: 'packages/cuda',
  // The first three load drivers, or give them no work.
  without: ['addon', 'driver', 'entry-points', ...(isWhole ? [] : [...PROCESSES, EVERY_FAULT])],
  environment: async (schedule) => ({ CUDA_SIMULATOR_SCHEDULE: schedule }),
};
const SYCL = {
  folder: 'packages/sycl',
  // Tests that depend on the order of work. The other files choose their schedules themselves, or
  // need none.
  only: ['borrow', 'cold-launch', 'contract', 'foreign', 'ownership'],
  environment: interposer,
};
const RUNS = [
  { ...CUDA, schedule: 'eager' },
  { ...SYCL, schedule: 'lazy' },
  { ...CUDA, schedule: `random:${seed}`, without: [...CUDA.without, EVERY_FAULT] },
  { ...SYCL, schedule: `random:${seed}` },
];
const AT_ONCE = 2;

/** The environment of an interposer for dpctl's library, which calls that library. */
async function interposer(schedule) {
  const outcome = await provide();
  if (outcome.state !== 'ready') throw new Error(explain(outcome));
  return {
    ARRAY_INTERFACE_DPCTL_LIBRARY: path.join(root, SYCL.folder, 'build/Release/test/interposer.so'),
    ARRAY_INTERFACE_INTERPOSER_LIBRARY: outcome.library,
    ARRAY_INTERFACE_INTERPOSER_SCHEDULE: schedule,
  };
}

function filesOf({ folder, only, without }) {
  const files = readdirSync(path.join(root, folder, 'test'), { recursive: true });
  const isTaken = (name) => only?.includes(name) ?? !without.includes(name);
  return files
    .filter((file) => file.endsWith('.test.ts') && isTaken(path.basename(file, '.test.ts')))
    .map((file) => `${folder}/test/${file}`);
}

/** Runs the tests on a schedule. Returns their output, their counts and their exit status. */
async function runOn(one) {
  const { folder, schedule } = one;
  const reports = path.join(root, folder, '.vitest');
  mkdirSync(reports, { recursive: true });
  const report = path.join(reports, `${schedule.replace(':', '-')}.json`);
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const options = ['--maxWorkers=1', ...reporters, ...process.argv.slice(2)];
  const child = spawn('vitest', ['run', ...filesOf(one), ...options], {
    cwd: root,
    env: {
      ...(!isWhole && { ARRAY_INTERFACE_RUNS: '0.25' }),
      ...environment(),
      ...(await one.environment(schedule)),
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
    child.on('close', (status) => resolve({ ...one, text, report, status: status ?? 1 }));
  });
}

/** Performs all runs, a few at a time; returns them in order. */
async function runAll() {
  const outcomes = [];
  const waiting = [...RUNS.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, one] = next;
      outcomes[index] = await runOn(one);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return outcomes;
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
console.log(`random:${seed}; again: FAST_CHECK_SEED=${seed} npm run test:schedules`);
const outcomes = await runAll();
for (const { folder, schedule, text, status } of outcomes) {
  console.log(`${folder}, ${schedule}\n${text.trim()}\n`);
  if (status !== 0) process.exitCode = status;
}
count(outcomes);
