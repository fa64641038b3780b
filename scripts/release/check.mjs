import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isProgram } from '../run.mjs';
import { binariesOf, chosenTargets, filesOf, targets } from './targets.mjs';

// node scripts/release/check.mjs [TARGET…]: checks that the output of build.mjs runs on every
// machine of its target. Reads the files, and runs none of them. Each rule is in docs/internals/adr/0014.

const NEWEST_GLIBC = '2.28';

/** Libraries that every Node process has loaded, or every system has. */
const LIBRARIES = {
  glibc:
    /^(lib(c|m|dl|pthread|rt)\.so\.\d|ld-linux-(x86-64|aarch64)\.so\.\d|libgcc_s\.so\.1|libcuda\.so\.1)$/,
  musl: /^libc\.so$/,
};

const ADDON_EXPORTS = 'napi_register_module_v1 node_api_module_get_api_version_v1';
/** sycl.node is also a layer of the OpenCL loader. */
const LAYER_EXPORTS = `clGetLayerInfo clInitLayer clInitLayerWithProperties ${ADDON_EXPORTS}`;

function readelf(...args) {
  return execFileSync('readelf', ['--wide', ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** The values of a file's dynamic section with one of these tags. */
function dynamicOf(file, ...tags) {
  const entries = [...readelf('--dynamic', file).matchAll(/\((\w+)\).*?\[(.*)\]/g)];
  return entries.filter(([, tag]) => tags.includes(tag)).map(([, , value]) => value);
}

/** The names of the symbols that a file exports, in alphabetical order. */
function exportsOf(file) {
  const lines = readelf('--dyn-syms', file).split('\n');
  const defined = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, , , , bind, , index]) =>
        ['GLOBAL', 'WEAK', 'UNIQUE'].includes(bind) && !['UND', 'ABS'].includes(index),
    );
  return defined.map(([, , , , , , , name]) => name.split('@')[0]).sort();
}

/** The versions of a library's symbols that a file needs: `GLIBC_2.17`. */
function versionsOf(file) {
  const names = readelf('--version-info', file).matchAll(
    /Name: ((?:GLIBC|GLIBCXX|CXXABI)_[\w.]+)/g,
  );
  return [...new Set([...names].map(([, name]) => name))];
}

/** Whether every machine that releases support has this version of a library's symbols. */
export function isAllowed(version) {
  const [kind, number] = version.split('_');
  return kind === 'GLIBC' && NEWEST_GLIBC.localeCompare(number, 'en', { numeric: true }) >= 0;
}

/** Lists missing hardening against memory-safety bugs, one sentence each. */
function weaknessesOf(file, name, libc) {
  const segments = readelf('--program-headers', file);
  const symbols = readelf('--dyn-syms', file);
  // All are compiled alike. The addons call none of the functions that glibc has checked variants
  // of; the simulator does.
  const checked = [
    / __(?!stack_)\w+_chk\b/,
    symbols,
    "it calls none of glibc's functions that check bounds (-D_FORTIFY_SOURCE=2)",
  ];
  const signs = [
    [/^ *GNU_RELRO /m, segments, 'its tables stay writable (-z relro)'],
    [
      /\((FLAGS_1|FLAGS)\).*\bNOW\b/,
      readelf('--dynamic', file),
      'it looks up functions late, so its tables stay writable (-z now)',
    ],
    [/^ *GNU_STACK .* RW +\w+$/m, segments, 'its stack may be run (-z noexecstack)'],
    [
      / __stack_chk_fail\b/,
      symbols,
      'its functions do not look after their stack (-fstack-protector-strong)',
    ],
    ...(libc === 'glibc' && name === 'libcuda.so.1' ? [checked] : []),
  ];
  return signs.flatMap(([sign, text, weakness]) => (sign.test(text) ? [] : weakness));
}

/** Lists what is wrong with a file, one sentence each. */
export function faultsOf(file, { machine, libc }) {
  const name = path.basename(file);
  const faults = [];
  const found = /Machine:\s*(.*)/.exec(readelf('--file-header', file))?.[1];
  if (found !== machine) faults.push(`expected a file for ${machine}, got one for ${found}`);
  const tooNew = versionsOf(file).filter((version) => !isAllowed(version));
  if (tooNew.length > 0) {
    faults.push(
      `it needs ${tooNew.join(', ')}; expected GLIBC_${NEWEST_GLIBC} or older, and no libstdc++`,
    );
  }
  for (const library of dynamicOf(file, 'NEEDED')) {
    if (!LIBRARIES[libc].test(library))
      faults.push(`it needs ${library}, which not every machine has`);
  }
  // Only this file depends on another, which it finds in its own folder.
  const allowed = name === 'libcuda.so' ? ['$ORIGIN'] : [];
  for (const folder of dynamicOf(file, 'RPATH', 'RUNPATH')) {
    if (!allowed.includes(folder))
      faults.push(`it looks for libraries in ${folder}, a folder of the builder`);
  }
  const exports = exportsOf(file).join(' ');
  const expected = name === 'sycl.node' ? LAYER_EXPORTS : ADDON_EXPORTS;
  if (name.endsWith('.node') && exports !== expected) {
    faults.push(`expected it to export ${expected} alone, got ${exports.slice(0, 200)}`);
  }
  if (/\.symtab/.test(readelf('--sections', file))) faults.push('it is not stripped');
  // The simulator's second name contains no code, only a reference to the first.
  if (name !== 'libcuda.so') faults.push(...weaknessesOf(file, name, libc));
  return faults.map((text) => `${name}: ${text}`);
}

/** Lists what is wrong with the files of a target, one sentence each. */
export function binaryFaults(target) {
  return filesOf(target).flatMap((name) => {
    const file = path.join(binariesOf(target), name);
    if (existsSync(file)) return faultsOf(file, targets[target]);
    return [`${name}: expected it to be built; run node scripts/release/build.mjs ${target}`];
  });
}

if (isProgram(import.meta)) {
  for (const target of chosenTargets()) {
    const faults = binaryFaults(target);
    for (const fault of faults) console.error(`${target}: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
    else console.log(`${target}: ${filesOf(target).length} files, nothing newer than it may be`);
  }
}
