import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { must, root } from '../../run.mjs';

/**
 * The sanitizers by what they check: the flag that builds with them, the build's folder, and a
 * symbol that all code built with them references.
 */
const SANITIZERS = {
  addresses: { flag: 'SANITIZE', folder: 'build-asan', symbol: '__asan_report' },
  threads: { flag: 'SANITIZE_THREADS', folder: 'build-tsan', symbol: '__tsan_' },
};

/** Builds an addon's package with a sanitizer, and returns the addon's folder. */
export async function buildAddon(folder, kind, name) {
  const cwd = path.join(root, folder);
  const cmakeJs = path.join(root, 'packages', 'host', 'node_modules', '.bin', 'cmake-js');
  const { flag, folder: out, symbol } = SANITIZERS[kind];
  const common = ['--log-level', 'warn', '--out', out, '--config', 'Debug'];
  await must(cmakeJs, ['configure', ...common, `--CD${flag}=ON`], { cwd });
  await must(cmakeJs, ['build', ...common, '--parallel', '2'], { cwd });
  const built = path.join(cwd, out, 'Debug');
  instrumented(path.join(built, `${name}.node`), symbol);
  return built;
}

/** Builds a folder's C++ programs with a sanitizer, and returns the programs' folder. */
export async function buildPrograms(folder, kind, name) {
  const cwd = path.join(root, folder);
  const { flag, folder: out, symbol } = SANITIZERS[kind];
  rmSync(path.join(cwd, out, 'CMakeCache.txt'), { force: true }); // the checkout may have moved
  // -O1, as the sanitizers' manuals recommend. It compiles a third faster than -O2.
  const type = [
    '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
    '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DNDEBUG',
  ];
  await must('cmake', ['-S', '.', '-B', out, ...type, `-D${flag}=ON`, '--log-level=WARNING'], {
    cwd,
  });
  await must('cmake', ['--build', out, '--parallel', '2', '--', '--quiet'], { cwd });
  const built = path.join(cwd, out, 'Release');
  instrumented(path.join(built, name), symbol);
  return built;
}

/** Throws unless the sanitizer is in the file. A build without it would pass everything. */
function instrumented(file, symbol) {
  if (!readFileSync(file).includes(symbol)) {
    throw new Error(`expected ${file} to be built with a sanitizer, got no ${symbol} in it`);
  }
}
