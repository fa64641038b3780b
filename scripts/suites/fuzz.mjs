import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { capture, environment, job, must, root, run } from '../run.mjs';

// npm run test:fuzz [-- SECONDS]: fuzzes for a minute by default. It looks for layouts that the C++
// copies wrongly, or beyond their bytes, with libFuzzer, AddressSanitizer and
// UndefinedBehaviorSanitizer. It also looks for names and sources that the command misinterprets:
// with the cases of npm test times the number of minutes, at least twice as many. First it must
// find mistakes planted in native/test/fuzz. FAST_CHECK_SEED repeats a run, and npm run test:fuzz
// -- FILE reruns a finding. Fails if its compiler is missing, unless ARRAY_INTERFACE_ALLOW_MISSING
// is 1.
const COMPILER = 'clang++-15';
const native = path.join(root, 'native');
const build = path.join(native, 'build-fuzz');
const target = path.join(build, 'Release', 'layout_fuzz');
const finds = path.join(build, 'finds');
const PLANTED = {
  difference: /expected the host's copy to be that of the plain loop/,
  overflow: /ERROR: AddressSanitizer: heap-buffer-overflow/,
  undefined: /runtime error: signed integer overflow/,
};
const PLANTED_SECONDS = 60;

async function buildTarget() {
  rmSync(path.join(build, 'CMakeCache.txt'), { force: true }); // the checkout may have moved
  const options = { cwd: native, env: { ...process.env, CXX: COMPILER } };
  await must('cmake', ['-S', '.', '-B', build, '-DFUZZ=ON', '--log-level=WARNING'], options);
  const parallel = ['--parallel', '2', '--', '--quiet'];
  await must('cmake', ['--build', build, '--target', 'layout_fuzz', ...parallel], options);
  mkdirSync(finds, { recursive: true });
}

/** Runs the fuzzer. Returns its exit status and output. */
function fuzz(args, env = {}) {
  return capture(target, [`-artifact_prefix=${finds}/`, '-timeout=20', ...args], {
    env: { ...process.env, ASAN_OPTIONS: 'quarantine_size_mb=8', ...env },
  });
}

/** Random inputs for this many seconds. The same seed always produces the same inputs. */
const inputs = (seed, seconds) => [
  `-seed=${seed}`,
  `-max_total_time=${seconds}`,
  '-max_len=400',
  '-len_control=0',
  '-print_funcs=0',
  '-print_final_stats=1',
];

/** Throws unless the fuzzer finds a planted mistake, with the expected report. */
async function demandPlanted(mistake, expected, seed) {
  const env = { ARRAY_INTERFACE_PLANTED: mistake };
  const { status, output } = await fuzz(inputs(seed, PLANTED_SECONDS), env);
  if (status !== 0 && expected.test(output)) {
    console.log(`planted ${mistake}: found`);
    return;
  }
  throw new Error(
    `the planted ${mistake} was not found, so the fuzzer proves nothing:\n${output.slice(-4000)}`,
  );
}

/** The random tests of the command. */
async function searchNames(seconds, seed) {
  const times = String(Math.max(2, seconds / 60));
  const env = { ...environment(), ARRAY_INTERFACE_RUNS: times, FAST_CHECK_SEED: String(seed) };
  const args = ['run', '--testTimeout=0', 'packages/cli/test/hostile-names'];
  const status = await run('vitest', args, { env });
  if (status !== 0) throw new Error(`hostile names: status ${status}; the seed is ${seed}`);
}

async function search(seconds, seed) {
  console.log(`seed ${seed}; again: FAST_CHECK_SEED=${seed} npm run test:fuzz -- ${seconds}`);
  for (const [mistake, expected] of Object.entries(PLANTED)) {
    await demandPlanted(mistake, expected, seed);
  }
  rmSync(finds, { recursive: true });
  mkdirSync(finds);
  const { status, output } = await fuzz(inputs(seed, seconds));
  const [, inputCount] = /number_of_executed_units: (\d+)/.exec(output) ?? [];
  if (status === 0 && Number(inputCount) > 0) {
    console.log(`fuzz: ${inputCount} inputs in ${seconds} s, nothing found`);
    return;
  }
  const [, file] = /Test unit written to (\S+)/.exec(output) ?? [];
  throw new Error(`${output.slice(-12_000)}\nagain: npm run test:fuzz -- ${file ?? '(no file)'}`);
}

async function repeat(file) {
  const { status, output } = await fuzz([path.resolve(file)]);
  console.log(output);
  if (status !== 0) throw new Error(`${file}: status ${status}`);
}

const [what = '60'] = process.argv.slice(2);
const seed = Number(process.env.FAST_CHECK_SEED) || Date.now() & 0x7fffffff;
// First, since a finding of the fuzzer takes many lines, and CI shows the last ones.
if (/^\d+$/.test(what)) await job(() => searchNames(Number(what), seed));
if (spawnSync(COMPILER, ['--version']).error) {
  console.log(`not fuzzed: no ${COMPILER} on this machine (Debian, Ubuntu: apt install clang-15)`);
  if (process.env.ARRAY_INTERFACE_ALLOW_MISSING !== '1') process.exitCode = 1;
} else {
  await job(async () => {
    await buildTarget();
    await (/^\d+$/.test(what) ? search(Number(what), seed) : repeat(what));
  });
}
