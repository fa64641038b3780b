import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { atOnce } from '../at-once.mjs';
import { capture, environment, root } from '../run.mjs';
import { setup } from '../setup/setup.mjs';
import { demandRuntime } from '../sycl/runtime.mjs';
import { testFiles } from '../workspace.mjs';
import { addCounts, reportingTo } from './counts.mjs';

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
  'exit.simulated',
  'faults.simulated',
  'held-device.simulated',
  'kernel-lifetimes.simulated',
  'lifetimes',
  'live-counts',
  'no-peers.simulated',
  'share',
  'worker',
];
/** Varies which call fails, independently of the schedule, and takes long. */
const EVERY_FAULT = 'every-fault.simulated';
/** The contract once more, on a device whose work does not end: on the random schedule alone. */
const HELD = 'contract-held.simulated';
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
  { ...CUDA, schedule: 'eager', without: [...CUDA.without, ...(isWhole ? [] : [HELD])] },
  { ...SYCL, schedule: 'lazy' },
  { ...CUDA, schedule: `random:${seed}`, without: [...CUDA.without, EVERY_FAULT] },
  { ...SYCL, schedule: `random:${seed}` },
];

/** The environment of an interposer for dpctl's library, which calls that library. */
async function interposer(schedule) {
  return {
    ARRAY_INTERFACE_DPCTL_LIBRARY: path.join(root, SYCL.folder, 'build/Release/test/interposer.so'),
    ARRAY_INTERFACE_INTERPOSER_LIBRARY: await demandRuntime(),
    ARRAY_INTERFACE_INTERPOSER_SCHEDULE: schedule,
  };
}

/** Runs the tests on a schedule. Returns their output, their report and their exit status. */
async function runOn({ folder, only, without, schedule, environment: scheduling }) {
  const files = testFiles(folder, (name) => only?.includes(name) ?? !without.includes(name));
  const reports = path.join(root, folder, '.vitest');
  mkdirSync(reports, { recursive: true });
  const report = path.join(reports, `${schedule.replace(':', '-')}.json`);
  const options = ['--maxWorkers=1', ...reportingTo(report), ...process.argv.slice(2)];
  const paths = files.map((file) => `${folder}/${file}`);
  const { status, output } = await capture('vitest', ['run', ...paths, ...options], {
    env: {
      ...(!isWhole && { ARRAY_INTERFACE_RUNS: '0.25' }),
      ...environment(),
      ...(await scheduling(schedule)),
    },
  });
  return { title: `${folder}, ${schedule}`, output, report, status };
}

await setup();
console.log(`random:${seed}; again: FAST_CHECK_SEED=${seed} npm run test:schedules`);
const outcomes = await atOnce(2, RUNS, runOn);
for (const { title, output, status } of outcomes) {
  console.log(`${title}\n${output.trim()}\n`);
  if (status !== 0) process.exitCode = status;
}
addCounts(
  outcomes.map(({ report }) => JSON.parse(readFileSync(report, 'utf8'))),
  'runs',
);
