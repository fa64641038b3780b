import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../run.mjs';
import { addons, listFiles } from '../workspace.mjs';

// npm run includes: checks which C++ folder includes which, against docs/internals/architecture.md.

/** The simulator's folders, bottom up, and the folders that each may include. */
const simulator = {
  base: [],
  memory: ['base'],
  state: ['base', 'memory'],
  'ptx/program': ['base'],
  'ptx/run': ['base', 'ptx/program'],
  'ptx/syntax': ['ptx/program'],
  'ptx/decode': ['ptx/program', 'ptx/run', 'ptx/syntax'],
  'ptx/instructions': ['ptx/program', 'ptx/run', 'ptx/decode'],
  'ptx/parse': ['ptx/program', 'ptx/syntax', 'ptx/decode', 'ptx/instructions'],
  code: ['base', 'memory', 'state', 'ptx', 'kernels'],
  driver: ['base', 'memory', 'state', 'code'],
  calls: ['base', 'memory', 'state', 'ptx', 'code', 'driver', 'calls'],
  runtime: ['base'],
  test: ['base', 'kernels', 'test'],
};

/** The parts of a backend's addon, in order: each includes only itself and earlier parts. */
const PARTS = {
  cuda: ['driver', 'memory', 'work', 'ipc', 'bindings'],
  sycl: ['driver', 'memory', 'work', 'bindings'],
};

function* rulesOfParts() {
  for (const [name, parts] of Object.entries(PARTS)) {
    for (const [index, part] of parts.entries()) {
      // By file names: native/ has folders of the same names, which every part may include.
      const later = parts.slice(index + 1).flatMap((one) => {
        const files = readdirSync(path.join(root, `packages/${name}/native/${one}`));
        return files.map((file) => `^${one}/${file.replace('.', '\\.')}$`);
      });
      const outside = new RegExp([String.raw`^(\.\./){2,}`, 'packages/', ...later].join('|'));
      yield { folder: `packages/${name}/native/${part}`, system: true, quoted: /^/, outside };
    }
  }
}

/**
 * The first rule whose folder contains a file applies. `quoted` matches the folders that it may
 * include.
 */
const rules = [
  { folder: 'native/napi/setup.hpp', angled: /^napi\.h$/, quoted: /^$/ },
  { folder: 'native/napi', quoted: /^(napi|threads|library|kernels)\// },
  { folder: 'native/capsule/abi.hpp', quoted: /^(napi\/setup\.hpp|array_interface\.h)$/ },
  { folder: 'native/capsule', quoted: /^(capsule|library|napi|ordering)\// },
  // Its memory is mapped, so that a use after free is an error at once.
  {
    folder: 'native/test/foreign',
    angled: /^sys\/mman\.h$/,
    quoted: /^(napi\/setup\.hpp|[^/]+)$/,
  },
  // An interposer for system calls, which refuses those that it is told to.
  { folder: 'native/test/system', system: true, quoted: /^$/ },
  // It may map more memory than there is, and make the system refuse threads.
  {
    folder: 'native/test',
    angled: /^(sys\/mman|pthread)\.h$/,
    quoted: /^(kernels|memory|ordering|threads|library|test\/(kernels|support))\/|^[^/]+$/,
  },
  // It may use the compiler's vector intrinsics, and detect which vectors the machine has.
  {
    folder: 'native/kernels/host',
    angled: /^([ei]mmintrin|cpuid)\.h$/,
    quoted: /^kernels\/((host|layout)\/|device\/number\.h$)/,
  },
  // A kernel's source is OpenCL C, and includes only files beside it.
  { folder: 'native/kernels/device', quoted: /^[^/]+$/ },
  { folder: 'native/kernels/layout', quoted: /^kernels\/layout\// },
  { folder: 'native/kernels/launch', quoted: /^kernels\/(launch|layout)\// },
  {
    folder: 'native/kernels/emulator',
    quoted: /^kernels\/((emulator|launch|layout|device)\/|embedded\.hpp$)/,
  },
  { folder: 'native/files', system: true, quoted: /^files\// },
  { folder: 'native/tickets', system: true, quoted: /^(tickets|files)\// },
  { folder: 'native/threads', quoted: /^threads\// },
  { folder: 'native/ordering', quoted: /^ordering\// },
  { folder: 'native/memory', quoted: /^(memory|ordering|threads)\// },
  { folder: 'native/device', quoted: /^(device|capsule|memory|ordering|napi|threads|kernels)\// },
  { folder: 'native/library', angled: /^(dlfcn|link)\.h$/, quoted: /^library\// },
  ...Object.entries(simulator).map(([name, others]) => ({
    folder: `packages/cuda-simulator/native/${name}`,
    system: true,
    quoted: new RegExp(`^(${others.join('|') || '$.'})/|^[^/]+$`),
  })),
  ...rulesOfParts(),
  ...addons().map((name) => ({
    folder: `packages/${name}/native`,
    system: true,
    quoted: /^/,
    outside: /^(\.\.\/){2,}|packages\//,
  })),
];

/** Headers of the C++17 standard library have no extension. Those of C begin with `c`. */
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

let count = 0;
for (const file of listFiles(['*.cpp', '*.hpp', '*.h', '*.cl'])) {
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
