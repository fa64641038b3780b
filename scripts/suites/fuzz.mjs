import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { capture, environment, job, must, root, run } from '../run.mjs';

// npm run test:fuzz [-- SECONDS]: fuzzes for a minute by default. It looks for layouts that the C++
// copies wrongly, or beyond their bytes, and for programs with which the host leaves its arrays,
// with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer. It also looks for names and
// sources that the command misinterprets: with the cases of npm test times the number of minutes,
// at least twice as many. First it must find mistakes planted beside each target. FAST_CHECK_SEED
// repeats a run, and npm run test:fuzz -- FILE reruns a finding, whose name begins with its
// target's. Fails if its compiler is missing, unless ARRAY_INTERFACE_ALLOW_MISSING is 1.
const COMPILER = 'clang++-15';
const TARGETS = {
  layout_fuzz: {
    folder: path.join(root, 'native'),
    planted: {
      difference: /expected the host's copy to be that of the plain loop/,
      overflow: /ERROR: AddressSanitizer: heap-buffer-overflow/,
      undefined: /runtime error: signed integer overflow/,
    },
  },
  program_fuzz: {
    folder: path.join(root, 'packages/host/native/test/fuzz'),
    planted: { overflow: /ERROR: AddressSanitizer: heap-buffer-overflow/ },
  },
  reduction_fuzz: {
    folder: path.join(root, 'packages/host/native/test/fuzz'),
    planted: { overflow: /ERROR: AddressSanitizer: heap-buffer-overflow/ },
  },
};
/** In a folder that git ignores. */
const buildOf = (name) => path.join(root, 'native/build-fuzz', name);
const findsOf = (name) => path.join(buildOf(name), 'finds');
const PLANTED_SECONDS = 60;

async function buildTarget(name) {
  const build = buildOf(name);
  rmSync(path.join(build, 'CMakeCache.txt'), { force: true }); // the checkout may have moved
  const { folder } = TARGETS[name];
  const options = { cwd: folder, env: { ...process.env, CXX: COMPILER } };
  await must('cmake', ['-S', '.', '-B', build, '-DFUZZ=ON', '--log-level=WARNING'], options);
  const parallel = ['--parallel', '2', '--', '--quiet'];
  await must('cmake', ['--build', build, '--target', name, ...parallel], options);
  mkdirSync(findsOf(name), { recursive: true });
}

/** Runs a fuzzer. Returns its exit status and output. */
function fuzz(name, args, env = {}) {
  const target = path.join(buildOf(name), 'Release', name);
  return capture(target, [`-artifact_prefix=${findsOf(name)}/${name}-`, '-timeout=20', ...args], {
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
async function demandPlanted(name, mistake, expected, seed) {
  const env = { ARRAY_INTERFACE_PLANTED: mistake };
  const { status, output } = await fuzz(name, inputs(seed, PLANTED_SECONDS), env);
  if (status !== 0 && expected.test(output)) {
    console.log(`planted ${mistake}: found by ${name}`);
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

async function search(name, seconds, seed) {
  console.log(`seed ${seed}; again: FAST_CHECK_SEED=${seed} npm run test:fuzz -- ${seconds}`);
  for (const [mistake, expected] of Object.entries(TARGETS[name].planted)) {
    await demandPlanted(name, mistake, expected, seed);
  }
  rmSync(findsOf(name), { recursive: true });
  mkdirSync(findsOf(name));
  const { status, output } = await fuzz(name, inputs(seed, seconds));
  const [, inputCount] = /number_of_executed_units: (\d+)/.exec(output) ?? [];
  if (status === 0 && Number(inputCount) > 0) {
    console.log(`${name}: ${inputCount} inputs in ${seconds} s, nothing found`);
    return;
  }
  const [, file] = /Test unit written to (\S+)/.exec(output) ?? [];
  throw new Error(`${output.slice(-12_000)}\nagain: npm run test:fuzz -- ${file ?? '(no file)'}`);
}

async function repeat(file) {
  const name = Object.keys(TARGETS).find((one) => path.basename(file).startsWith(one));
  if (name === undefined) throw new Error(`${file}: expected the name of a target in front`);
  await buildTarget(name);
  const { status, output } = await fuzz(name, [path.resolve(file)]);
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
    if (!/^\d+$/.test(what)) return repeat(what);
    for (const name of Object.keys(TARGETS)) {
      await buildTarget(name);
      await search(name, what, seed);
    }
  });
}
