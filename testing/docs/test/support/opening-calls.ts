import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './pages.js';

/** How often one file calls a function that loads code, runs a program, or opens or changes a file. */
export interface OpeningCall {
  /** In the repository. */
  readonly file: string;
  readonly call: string;
  readonly count: number;
}

/** Sources that are published, or become what is. */
const SHIPPED = [
  'packages/*/{src,bin}/**/*.{ts,js,mjs,cjs}',
  '{packages/*/native,native}/**/*.{c,cc,cpp,h,hpp}',
  'packages/*/include/**/*.h',
  'pip/src/**/*.py',
];
const NEVER_SHIPPED = /\/test\//;

/** Of Node, whose names are nobody else's. */
const NODE = [
  'dlopen',
  'createRequire',
  ...['spawn', 'spawnSync', 'execSync', 'execFile', 'execFileSync', 'execve'],
  ...['runInThisContext', 'runInNewContext', 'runInContext', 'compileFunction', 'loadEnvFile'],
  ...['openSync', 'openAsBlob', 'createReadStream', 'createWriteStream'],
  ...sync('readFile', 'writeFile', 'appendFile', 'mkdtemp', 'mkdir', 'rmdir', 'unlink'),
  ...sync('rename', 'copyFile', 'symlink', 'chmod', 'chown', 'lchown', 'utimes', 'truncate'),
  ...['cpSync', 'rmSync', 'linkSync'],
];
/** Of Node, counted where they are imported from it: others have methods of these names. */
const NODE_IMPORTED = ['exec', 'fork', 'open', 'cp', 'rm', 'link', 'Script'];
const NODE_MODULE = "'(?:node:)?(?:fs|fs/promises|child_process|module|vm|worker_threads)'";
const GOT = `(?:require|getBuiltinModule)\\(${NODE_MODULE}\\)`;
const C = [
  ...['dlopen', 'dlmopen', 'LoadLibrary[AW]?', 'LoadLibraryEx[AW]?'],
  ...[
    'system',
    'popen',
    'fork',
    'vfork',
    'clone',
    'posix_spawnp?',
    'exec(?:l|v|ve|vp|vpe|lp|le|veat)',
    'fexecve',
    'uv_(?:dlopen|spawn|fs_\\w+)',
  ],
  ...[
    'open',
    'open64',
    'openat',
    'open_by_handle_at',
    'creat',
    'f(?:re)?open(?:64)?',
    'tmpfile',
    'sem_open',
    'memfd_create',
    'shm_open',
    'mko?stemp',
    'mkdtemp',
  ],
  ...[
    '(?:mkdir|unlink|rename|symlink|link)(?:at2?)?',
    'rmdir',
    'mkfifo',
    'mknod',
    'CreateFile[AW]?',
  ],
  ...['l?chown', 'chmod', 'truncate'],
];
/** Of C, whose names nothing else has: then also where one is passed on to be called. */
const C_VALUES = [
  'dlopen',
  'dlmopen',
  'popen',
  'posix_spawnp?',
  'execv\\w*',
  'memfd_create',
  'fopen',
];
const PYTHON = [
  ...['open', 'exec', 'eval', 'compile', '__import__', '(?:ctypes\\.)?(?:C|Py)DLL'],
  ...['(?:importlib|subprocess|tempfile|shutil|runpy|multiprocessing|pty)\\.\\w+', 'io\\.open'],
  ...[
    'os\\.(?:open|memfd_create|system|popen|posix_spawnp?|fork\\w*|exec\\w+|spawn\\w+|mkdir|makedirs)',
  ],
  ...['os\\.(?:remove|unlink|rename|replace|symlink|link|l?chmod|l?chown|truncate|mkfifo|mknod)'],
  ...['os\\.(?:rmdir|removedirs|utime)', '(?:asyncio\\.)?create_subprocess_\\w+'],
];
/** Methods of Python that open, load or change a file whose path their object is, or is handed to them. */
const PYTHON_METHODS = [
  'LoadLibrary',
  '(?:read|write)_(?:text|bytes)',
  ...['touch', 'symlink_to', 'hardlink_to', 'load_module', 'exec_module'],
];
/** Whose functions have names that tell nothing without it. */
const PYTHON_MODULE =
  '(?:os|io|subprocess|shutil|tempfile|runpy|pty|asyncio|importlib|multiprocessing|ctypes)';

function sync(...names: string[]): string[] {
  return names.flatMap((name) => [name, `${name}Sync`]);
}

/** Every such call in the shipped sources. */
export function openingCalls(): OpeningCall[] {
  const patterns = SHIPPED.flatMap(expand).map((pattern) => `:(glob)${pattern}`);
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return listed
    .filter((file) => !NEVER_SHIPPED.test(file) && existsSync(path.join(root, file)))
    .flatMap((file) => counted(file, callsIn(file, readFileSync(path.join(root, file), 'utf8'))));
}

/** git's patterns have no braces. */
function expand(pattern: string): string[] {
  const [whole, list] = /\{([^}]*)\}/.exec(pattern) ?? [];
  if (whole === undefined || list === undefined) return [pattern];
  return list.split(',').flatMap((one) => expand(pattern.replace(whole, one)));
}

function counted(file: string, calls: readonly string[]): OpeningCall[] {
  return [...new Set(calls)].sort().map((call) => {
    return { file, call, count: calls.filter((one) => one === call).length };
  });
}

/** The calls in the text of a file, each as often as it stands there. */
export function callsIn(file: string, text: string): string[] {
  if (file.endsWith('.py')) return callsInPython(text.replaceAll(/#.*$/gm, ''));
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/\s.*$/gm, '');
  if (!/\.[cm]?[jt]s$/.test(file)) return callsInC(code);
  const imports = [
    ...code.matchAll(/^import ([^;]*?) from 'node:[\w/]+'/gms),
    ...code.matchAll(new RegExp(`{([^}]*)} = ${GOT}`, 'g')),
  ].map(([, names]) => names);
  const imported = NODE_IMPORTED.filter((name) =>
    imports.some((names) => new RegExp(`\\b${name}\\b`).test(names ?? '')),
  );
  return [
    ...found(code, `\\b(${either(NODE)})`),
    ...(imported.length === 0 ? [] : found(code, `(?<![\\w.])(${either(imported)})`)),
    ...hiddenInNode(code),
    // Code whose name stands in no string.
    ...found(code, '(?<![\\w.])(require|import|eval)', '\\((?!\\)|[\'"]|\\w+\\??:)'),
    ...found(code, '\\b(new Function|new Worker)'),
  ];
}

/** Under another name, as a part of its module, or passed on to be called. */
function hiddenInNode(code: string): string[] {
  const all = either([...NODE, ...NODE_IMPORTED]);
  const renamed = [...code.matchAll(new RegExp(`^import {([^}]*)} from ${NODE_MODULE}`, 'gm'))]
    .flatMap(([, names = '']) => names.split(','))
    .filter((name) => new RegExp(`^\\s*(?:${all}) as `).test(name))
    .map((name) => name.trim());
  const modules = [
    ...code.matchAll(
      new RegExp(`^import (?:\\* as )?(\\w+)(?:, {[^}]*})? from ${NODE_MODULE}`, 'gm'),
    ),
    ...code.matchAll(new RegExp(`(\\w+)(?:: \\w+)? = ${GOT}`, 'g')),
  ].map(([, name = '']) => `\\b${name}`);
  return [
    ...renamed,
    ...found(code, `(?:${either([...modules, GOT])})\\??\\.(${either(NODE_IMPORTED)})`),
    ...found(code.replaceAll(/^import [^;]*;/gm, ''), `[=(,:]\\s*(${either(NODE)})`, '\\s*[),;]'),
  ];
}

function callsInPython(code: string): string[] {
  const imports = [
    ...code.matchAll(new RegExp(`^\\s*from (${PYTHON_MODULE}) import \\(?([^)\\n]*)`, 'gm')),
  ];
  const from = imports
    .flatMap(([, of, names = '']) => names.split(',').map((name) => `${of}.${name.trim()}`))
    .filter((name) => new RegExp(`^(?:${either(PYTHON)})\\b`).test(name));
  const renamed = found(code, `^\\s*import (${PYTHON_MODULE} as)`, ' ');
  return [
    ...found(code, `(?<![\\w.]|def )(${either(PYTHON)})`),
    ...found(code, `\\.(${either(PYTHON_METHODS)})`),
    ...found(code, `\\b((?:cdll|pydll)\\.\\w+)`, '\\b'),
    ...from,
    ...renamed,
  ];
}

function callsInC(code: string): string[] {
  // A method of that name has an object or a class before it, or, where it is declared, nothing in it.
  const calls = found(
    code,
    `(?:(?<![\\w.>]|\\w::)|(?<=\\bstd::))(${either(C)})`,
    '\\((?!\\)|const )',
  );
  const streams = found(code, '\\b(ifstream|ofstream|fstream|filebuf)\\b(?!>)', '[^;]');
  const raw = found(
    code,
    '\\bsyscall\\(((?:SYS|__NR)_(?:open\\w*|memfd_create|execve|execveat|v?fork|clone3?))',
    '\\b',
  );
  const changes = 'remove\\w*|create_\\w+|rename|copy\\w*|permissions|resize_file';
  return [
    ...calls,
    ...streams,
    ...raw,
    ...found(code, `\\b(filesystem::(?:${changes}))`),
    ...found(code, `[=(,{&:]\\s*(${either(C_VALUES)})`, '\\s*[),;}]'),
  ];
}

function found(code: string, name: string, next = '\\('): string[] {
  return [...code.matchAll(new RegExp(name + next, 'gm'))].map(([, call]) => call ?? '');
}

const either = (names: readonly string[]) => names.join('|');
