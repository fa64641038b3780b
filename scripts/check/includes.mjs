import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../run.mjs';

// npm run includes: checks which C++ folder includes which, as docs/architecture.md says.

/**
 * The first rule whose folder holds a file decides. `quoted` names the folders that it may include.
 */
const rules = [
  { folder: 'native/napi/setup.hpp', angled: /^napi\.h$/, quoted: /^$/ },
  { folder: 'native/napi', quoted: /^(napi|threads|library|kernels)\// },
  { folder: 'native/capsule/abi.hpp', quoted: /^(napi\/setup\.hpp|array_interface\.h)$/ },
  { folder: 'native/capsule', quoted: /^(capsule|library|napi|order)\// },
  // Its memory is mapped, so that a use after its end is an error at once.
  {
    folder: 'native/test/foreign',
    angled: /^sys\/mman\.h$/,
    quoted: /^(napi\/setup\.hpp|[^/]+)$/,
  },
  // A library that stands before the system's own, and refuses what it is told to.
  { folder: 'native/test/system', system: true, quoted: /^$/ },
  // It may map more memory than there is, and have the system refuse threads.
  {
    folder: 'native/test',
    angled: /^(sys\/mman|pthread)\.h$/,
    quoted: /^(kernels|memory|order|threads|library)\/|^[^/]+$/,
  },
  // It may use vector instructions by the compiler's names, and ask whether the machine has them.
  {
    folder: 'native/kernels/host',
    angled: /^([ei]mmintrin|cpuid)\.h$/,
    quoted: /^kernels\/|^[^/]+$/,
  },
  { folder: 'native/kernels', quoted: /^kernels\/|^[^/]+$/ },
  { folder: 'native/files', system: true, quoted: /^files\// },
  { folder: 'native/tickets', system: true, quoted: /^(tickets|files)\// },
  { folder: 'native/threads', quoted: /^threads\// },
  { folder: 'native/order', quoted: /^order\// },
  { folder: 'native/memory', quoted: /^(memory|order|threads)\// },
  { folder: 'native/library', angled: /^(dlfcn|link)\.h$/, quoted: /^library\// },
  { folder: 'packages/cuda-simulator', system: true, quoted: /^(kernels|ptx)\/|^[^/]+$/ },
  ...['host', 'cuda', 'sycl', 'python'].map((name) => ({
    folder: `packages/${name}/native`,
    system: true,
    quoted: /^/,
    outside: /^(\.\.\/){2,}|packages\//,
  })),
];

/** Headers of the C++17 standard library have no ending. Those of C begin with `c`. */
const isStandard = (header) => /^[a-z_]+$/.test(header);
const isSystem = (header) => /^[\w/]+\.h$/.test(header) && header !== 'napi.h';

function allows(rule, { header, isQuoted }) {
  if (isQuoted) return rule.quoted.test(header) && !rule.outside?.test(header);
  return isStandard(header) || rule.angled?.test(header) || (rule.system && isSystem(header));
}

function* includesOf(file) {
  for (const [number, line] of readFileSync(path.join(root, file), 'utf8').split('\n').entries()) {
    const [, open, header] = /^\s*#\s*include\s*([<"])([^>"]+)/.exec(line) ?? [];
    if (header) yield { place: `${file}:${number + 1}`, header, isQuoted: open === '"' };
  }
}

const listed = execFileSync('git', ['ls-files', '*.cpp', '*.hpp', '*.h', '*.cl'], { cwd: root });
let count = 0;
for (const file of listed.toString().trim().split('\n')) {
  const rule = rules.find(({ folder }) => file === folder || file.startsWith(`${folder}/`));
  if (rule === undefined) continue;
  for (const include of includesOf(file)) {
    count++;
    if (allows(rule, include)) continue;
    console.error(`${include.place}: ${rule.folder} may not include ${include.header}`);
    process.exitCode = 1;
  }
}
if (process.exitCode !== 1) console.log(`${count} includes, all allowed`);
