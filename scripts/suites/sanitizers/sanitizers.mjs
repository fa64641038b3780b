import { rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { demandKnown } from '../../arguments.mjs';
import { WITH_DPCTL } from '../../python/versions.mjs';
import { outputOf, root } from '../../run.mjs';
import { setup } from '../../setup/setup.mjs';
import { demandRuntime } from '../../sycl/runtime.mjs';
import { addons } from '../../workspace.mjs';
import { buildAddon, buildPrograms } from './build.mjs';
import { program, tests } from './check.mjs';
import { leftOutFiles, leftOutNames } from './left-out.mjs';
import { plantedInAddon, plantedInProgram } from './planted.mjs';
import { preload } from './sanitizer.mjs';

// npm run test:sanitizers [-- NAME…]: runs the tests of the addons, and the C++ tests, built with
// sanitizers. Names: planted, host, pages (the addon of examples/backend), cuda, sycl, python,
// addresses (C++ programs with AddressSanitizer), threads (with ThreadSanitizer), python-threads
// (Python's addon with it); default: all. A sanitized loop takes ten times as long. So it runs a
// quarter of npm test's random cases and rounds, unless ARRAY_INTERFACE_RUNS is set. It skips tests
// whose C++ other tests also run, and tests of repetitions, unless ARRAY_INTERFACE_WHOLE is 1.
// ARRAY_INTERFACE_TEST_PYTHON names an environment of npm run test:python, whose Python then runs the
// tests of `python`.
const SIMULATOR = 'packages/cuda-simulator';
const PROGRAMS = {
  native: ['kernels_test', 'memory_test', 'threads_test'],
  'packages/cuda/native/test/driver': ['driver_test'],
  [SIMULATOR]: ['simulator-tests'],
};

/**
 * AddressSanitizer's dlopen ignores RPATH. The SYCL runtime finds its libraries through this
 * variable.
 */
async function syclEnvironment() {
  const library = await demandRuntime();
  const { openClDriverOf } = await import('../../../packages/sycl/dist/index.js');
  return { LD_LIBRARY_PATH: path.dirname(openClDriverOf(library)) };
}

/**
 * CPython's own allocator would hide uses of freed memory. A free-threaded one has no other than
 * mimalloc, and does not start if it should.
 */
async function pythonEnvironment() {
  const named = process.env.ARRAY_INTERFACE_TEST_PYTHON;
  const isFreeThreaded = named && (await isFreeThreadedPython(path.resolve(named)));
  return { ...(await syclEnvironment()), ...(isFreeThreaded ? {} : { PYTHONMALLOC: 'malloc' }) };
}

/** Whether it is, of an environment's folder or its program. */
async function isFreeThreadedPython(place) {
  const program = statSync(place).isDirectory() ? path.join(place, 'bin/python') : place;
  const code = 'import sysconfig; print(sysconfig.get_config_var("Py_GIL_DISABLED"))';
  return (await outputOf(program, ['-c', code])).trim() === '1';
}

/** Extra variables for the tests of an addon. */
const ENVIRONMENTS = {
  python: pythonEnvironment,
  sycl: syclEnvironment,
};

function builtAddon(name) {
  return `${name}/build/Release/${name}.node`;
}

/** Other unsanitized files that the tests of an addon load from the addon's folder. */
const COMPANIONS = {
  pages: [builtAddon('host')],
  python: [
    'host/build/Release/test',
    ...addons()
      .filter((name) => name !== 'python')
      .map(builtAddon),
  ],
};
/** The folders of addons that are not in the package of their name. */
const FOLDERS = { pages: 'examples/backend' };

const size = { ARRAY_INTERFACE_RUNS: process.env.ARRAY_INTERFACE_RUNS || '0.25' };

async function addon(name, kind = 'addresses') {
  const env = { ...size, ...(await ENVIRONMENTS[name]?.()) };
  const folder = FOLDERS[name] ?? `packages/${name}`;
  const exclude = leftOutFiles(name, kind).map((file) => `test/**/${file}.test.ts`);
  if (process.env.ARRAY_INTERFACE_TEST_PYTHON) exclude.push(WITH_DPCTL);
  const built = await buildAddon(folder, kind, name);
  for (const other of COMPANIONS[name] ?? []) {
    const link = path.join(built, path.basename(other));
    rmSync(link, { force: true });
    symlinkSync(path.join(root, 'packages', other), link);
  }
  const leaks = name !== 'python';
  const { passed, failed, report } = await tests(folder, kind, built, {
    env,
    exclude,
    leaks,
    only: `^(?!.*(${leftOutNames(kind).join('|')}))`,
  });
  if (failed > 0 || report !== '' || passed === 0) {
    throw new Error(`${name}: ${passed} tests passed, ${failed} files failed; reports:\n${report}`);
  }
}

async function oneProgram(kind, folder, name) {
  const built = await buildPrograms(folder, kind, name);
  const { failed, output, report } = await program(path.join(built, name), [], { env: size });
  console.log(`${name}: ${output.trimEnd().split('\n').at(-1)}`);
  if (failed > 0 || report !== '') throw new Error(`${name}:\n${output}\n${report}`);
}

/**
 * Calls the simulator's runtime libraries from Python, as their tests do. The programs in C++ are not
 * linked with them.
 */
async function runtimeLibraries(kind) {
  const folder = path.dirname(await buildPrograms(SIMULATOR, kind, '../runtime/libcudart.so.13'));
  const env = {
    // The driver's thread-local memory has room only if it is loaded together with the program.
    LD_PRELOAD: `${preload(kind)} ${folder}/libcuda.so.1`,
    LD_LIBRARY_PATH: folder,
    CUDA_SIMULATOR_DRIVER_VERSION: '13000',
    PYTHONMALLOC: 'malloc',
  };
  for (const name of ['probe', 'nulls', 'sharing', 'at_exit']) {
    for (const major of [12, 13]) {
      const file = path.join(root, SIMULATOR, `test/runtime/${name}.py`);
      const library = `${folder}/runtime/libcudart.so.${major}`;
      const outcome = await program('python3', [file, library], { env, leaks: false });
      const { failed, output, report } = outcome;
      if (failed > 0 || report !== '') throw new Error(`${name}, ${major}:\n${output}\n${report}`);
    }
  }
  console.log('runtime libraries: passed');
}

/** Runs two folders at a time, each with one thread, so that each has a core. */
async function programs(kind) {
  const inTurn = async ([folder, names]) => {
    for (const name of names) await oneProgram(kind, folder, name);
    if (folder === SIMULATOR) await runtimeLibraries(kind);
  };
  const ends = await Promise.allSettled(Object.entries(PROGRAMS).map(inTurn));
  const failed = ends.filter(({ status }) => status === 'rejected');
  if (failed.length > 0) throw new Error(failed.map(({ reason }) => reason.message).join('\n'));
}

const CHECKS = {
  planted: async () => {
    for (const kind of ['addresses', 'threads']) {
      await plantedInAddon(kind);
      await plantedInProgram(kind);
    }
  },
  ...Object.fromEntries(addons().map((name) => [name, () => addon(name)])),
  pages: () => addon('pages'),
  'python-threads': () => addon('python', 'threads'),
  addresses: () => programs('addresses'),
  threads: () => programs('threads'),
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(CHECKS);
demandKnown(wanted, Object.keys(CHECKS), 'names of checks');
await setup();
const lines = [];
for (const name of wanted) {
  const start = performance.now();
  const failure = await CHECKS[name]().catch((error) => error);
  if (failure) console.error(failure.message);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  lines.push(`sanitizers, ${name}: ${failure ? 'FAILED' : 'passed'} in ${seconds} s`);
}
console.log(lines.join('\n'));
process.exitCode = lines.some((line) => line.includes('FAILED')) ? 1 : 0;
