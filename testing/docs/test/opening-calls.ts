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
  'python/src/**/*.py',
];
const NEVER_SHIPPED = /\/test\//;

/** Of Node, whose names are nobody else's. */
const NODE = [
  'dlopen',
  'createRequire',
  ...['spawn', 'spawnSync', 'execSync', 'execFile', 'execFileSync'],
  ...['openSync', 'openAsBlob', 'createReadStream', 'createWriteStream'],
  ...sync('readFile', 'writeFile', 'appendFile', 'mkdtemp', 'mkdir', 'rmdir', 'unlink'),
  ...sync('rename', 'copyFile', 'symlink', 'chmod', 'chown', 'utimes', 'truncate'),
  ...['cpSync', 'rmSync', 'linkSync'],
];
/** Of Node, counted where they are imported from it: others have methods of these names. */
const NODE_IMPORTED = ['exec', 'fork', 'open', 'cp', 'rm', 'link'];
const C = [
  ...['dlopen', 'dlmopen', 'LoadLibrary[AW]?', 'LoadLibraryEx[AW]?'],
  ...[
    'system',
    'popen',
    'fork',
    'vfork',
    'clone',
    'posix_spawnp?',
    'exec(?:l|v|ve|vp|vpe|lp|le)',
    'fexecve',
  ],
  ...[
    'open',
    'open64',
    'openat',
    'creat',
    'fopen',
    'freopen',
    'memfd_create',
    'shm_open',
    'mkstemp',
    'mkdtemp',
  ],
  ...['mkdir', 'unlink', 'rename', 'symlink', 'CreateFile[AW]?'],
];
const PYTHON = [
  ...['open', 'exec', 'eval', 'compile', '__import__', '(?:ctypes\\.)?(?:C|Py)DLL'],
  ...['(?:importlib|subprocess|tempfile|shutil|runpy|multiprocessing)\\.\\w+'],
  ...[
    'os\\.(?:open|memfd_create|system|popen|posix_spawnp?|fork|exec\\w+|spawn\\w+|mkdir|makedirs)',
  ],
  ...['os\\.(?:remove|unlink|rename|replace|symlink|chmod|truncate|mkfifo)'],
];

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
  if (file.endsWith('.py'))
    return found(text.replaceAll(/#.*$/gm, ''), `(?<![\\w.]|def )(${either(PYTHON)})`);
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/\s.*$/gm, '');
  if (!/\.[cm]?[jt]s$/.test(file)) return callsInC(code);
  const imports = [...code.matchAll(/^import ([^;]*?) from '(node:[\w/]+)'/gms)].map(
    ([, names]) => names,
  );
  const imported = NODE_IMPORTED.filter((name) =>
    imports.some((names) => new RegExp(`\\b${name}\\b`).test(names ?? '')),
  );
  return [
    ...found(code, `\\b(${either(NODE)})`),
    ...(imported.length === 0 ? [] : found(code, `(?<![\\w.])(${either(imported)})`)),
    // Code whose name stands in no string.
    ...found(code, '(?<![\\w.])(require|import|eval)', '\\((?!\\)|[\'"]|\\w+\\??:)'),
    ...found(code, '\\b(new Function|new Worker)'),
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
  const raw = found(code, '\\bsyscall\\((SYS_(?:open|openat|memfd_create|execve|execveat))', '\\b');
  return [...calls, ...streams, ...raw];
}

function found(code: string, name: string, next = '\\('): string[] {
  return [...code.matchAll(new RegExp(name + next, 'g'))].map(([, call]) => call ?? '');
}

const either = (names: readonly string[]) => names.join('|');
