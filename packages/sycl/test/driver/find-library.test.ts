import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findLibraries, openClDriverOf } from '@array-interface/sycl';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { runProgram } from '../support/program.js';

const PACKAGE = 'lib/python3.11/site-packages/dpctl';
const NAME = 'libDPCTLSyclInterface.so';
/** A user and a group that this process is not. */
const ANOTHER = 12345;
let root = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'find-library-')));
});

afterEach(() => rmSync(root, { recursive: true }));

/** A prefix with a library in it; its path. */
function install(prefix: string): string {
  const folder = join(root, prefix, PACKAGE);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, NAME), '');
  return join(folder, NAME);
}

/** A python3 that answers with a folder. */
function python(folder: string): string {
  const bin = join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'python3'), `#!/bin/sh\necho '${folder}'\n`, { mode: 0o755 });
  return bin;
}

function find(env: NodeJS.ProcessEnv, ...folders: string[]) {
  const tried: string[] = [];
  const found = [...findLibraries({ env: { PATH: '', ...env }, folders }, tried)];
  return { found, tried };
}

test('looks in the project, then in active environments, then at python3', () => {
  const project = install('work/.sycl-runtime');
  const active = install('venv');
  const conda = install('conda');
  const global = install('usr');
  const env = {
    VIRTUAL_ENV: join(root, 'venv'),
    CONDA_PREFIX: join(root, 'conda'),
    PATH: python(join(root, 'usr', PACKAGE)),
  };
  mkdirSync(join(root, 'work/packages/one'), { recursive: true });
  writeFileSync(join(root, 'work/package.json'), '{}');
  const { found, tried } = find(env, join(root, 'work/packages/one'));
  expect(found).toEqual([project, active, conda, global]);
  expect(tried).toEqual([]);
});

test('looks first for a library that the process has loaded, unless the environment names one', () => {
  const loaded = install('python');
  const active = install('venv');
  const env = { PATH: '', VIRTUAL_ENV: join(root, 'venv') };
  const found = (more: object) => [
    ...findLibraries({ env: { ...env, ...more }, folders: [], loaded }, []),
  ];
  expect(found({})).toEqual([loaded, active]);
  expect(found({ VIRTUAL_ENV: join(root, 'python') })).toEqual([loaded]);
  expect(found({ ARRAY_INTERFACE_DPCTL_LIBRARY: active })).toEqual([active]);
  const tried: string[] = [];
  expect([...findLibraries({ env, folders: [], loaded: null }, tried)]).toEqual([active]);
  expect(tried).toContain('this process: it has loaded no dpctl');
});

test('skips an environment that cannot be read', () => {
  mkdirSync(join(root, 'venv'));
  writeFileSync(join(root, 'venv/lib'), 'no folder');
  const conda = install('conda');
  const env = { VIRTUAL_ENV: join(root, 'venv'), CONDA_PREFIX: join(root, 'conda') };
  const { found, tried } = find(env);
  expect(found).toEqual([conda]);
  expect(tried).toContain(`VIRTUAL_ENV: no dpctl in ${join(root, 'venv')}`);
});

test('does not take a dpctl in the working folder for python3’s', async () => {
  mkdirSync(join(root, 'dpctl'));
  writeFileSync(join(root, 'dpctl', '__init__.py'), '');
  writeFileSync(join(root, 'dpctl', NAME), '');
  const program = `import { findLibraries } from '@array-interface/sycl';
    process.chdir(${JSON.stringify(root)});
    const env = { PATH: process.env.PATH };
    console.log(JSON.stringify([...findLibraries({ env, folders: [] }, [])]));`;
  const { stdout } = await runProgram(program);
  expect(JSON.parse(stdout)).not.toContain(join(root, 'dpctl', NAME));
});

test('looks for the shared runtime after the project’s own, if it is told where', () => {
  const project = install('work/.sycl-runtime');
  const cached = install('cache');
  const active = install('venv');
  const env = { PATH: '', VIRTUAL_ENV: join(root, 'venv') };
  const environment = { env, folders: [join(root, 'work')] };
  const shared = join(root, 'cache');
  expect([...findLibraries({ ...environment, shared }, [])]).toEqual([project, cached, active]);
  expect([...findLibraries(environment, [])]).toEqual([project, active]);
});

test('says that the shared runtime is missing, or cannot exist', () => {
  for (const [shared, why] of [
    [join(root, 'cache'), `the user's cache: no dpctl in ${join(root, 'cache')}`],
    [null, "the user's cache: no home folder, and no XDG_CACHE_HOME"],
  ] as const) {
    const tried: string[] = [];
    expect([...findLibraries({ env: { PATH: '' }, folders: [], shared }, tried)]).toEqual([]);
    expect(tried[0]).toBe(why);
  }
});

test.each([
  [
    'the nearest repository',
    { 'outer/.git': 0, 'outer/inner/.git': 0, 'outer/inner/a/package.json': 0 },
    'outer/inner',
  ],
  [
    'the outermost package, without a repository',
    { 'outer/package.json': 0, 'outer/inner/package.json': 0 },
    'outer',
  ],
  ['itself, in no project', {}, 'outer/inner/a'],
])('the project of a folder is %s', (_, marks, project) => {
  mkdirSync(join(root, 'outer/inner/a'), { recursive: true });
  for (const mark of Object.keys(marks)) writeFileSync(join(root, mark), '');
  const folder = join(root, 'outer/inner/a');
  const all = ['.', 'outer', 'outer/inner', 'outer/inner/a'];
  const places = new Map(all.map((one) => [one, install(`${one}/.sycl-runtime`)]));
  for (const one of all.filter((name) => name.length > project.length)) {
    rmSync(join(root, one, '.sycl-runtime'), { recursive: true });
  }
  expect(find({}, folder).found).toEqual([places.get(project)]);
  rmSync(join(root, project, '.sycl-runtime'), { recursive: true });
  expect(find({}, folder).found).toEqual([]);
});

test('the temporary folder is not a project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'find-library-'));
  const everybodys = join(tmpdir(), 'package.json');
  const was = existsSync(everybodys);
  if (!was) writeFileSync(everybodys, '{}');
  try {
    const { tried } = find({}, folder);
    expect(tried[0]).toBe(`.sycl-runtime: none in ${folder} or its project`);
  } finally {
    if (!was) rmSync(everybodys);
    rmSync(folder, { recursive: true });
  }
});

test('neither is one that TMPDIR names', () => {
  const everybodys = join(root, 'everybodys');
  const folder = join(everybodys, 'folder');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(everybodys, 'package.json'), '{}');
  install('everybodys/.sycl-runtime');
  expect(find({}, folder).found).toHaveLength(1);
  vi.stubEnv('TMPDIR', everybodys);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(find({}, folder).found).toEqual([]);
});

test('a dpctl that says it is too old is not opened', () => {
  const old = install('old');
  const young = install('young');
  const record = (prefix: string, version: string) =>
    mkdirSync(join(root, prefix, PACKAGE, `../dpctl-${version}.dist-info`));
  record('old', '0.9.2');
  record('young', '0.22.1');
  const env = { VIRTUAL_ENV: join(root, 'old'), CONDA_PREFIX: join(root, 'young') };
  const { found, tried } = find(env);
  expect(found).toEqual([young]);
  expect(tried).toContain(`VIRTUAL_ENV: ${old} is of dpctl 0.9; 0.22 or later is needed`);
});

/** Tests a library in an environment that `spoil` changed: it is not found, and `tried` says why. */
function isPassedOver(spoil: (at: string) => void, why: string): void {
  install('venv');
  spoil(join(root, 'venv'));
  const env = { VIRTUAL_ENV: join(root, 'venv') };
  for (const named of [{}, { ARRAY_INTERFACE_DPCTL_LIBRARY: join(root, 'venv', PACKAGE, NAME) }]) {
    const { found, tried } = find({ ...env, ...named });
    expect(found).toEqual([]);
    expect(tried.join()).toContain(why);
  }
}

test('a library in a folder that everybody may write is skipped, and the refusal says why', () => {
  isPassedOver(
    (at) => chmodSync(join(at, 'lib'), 0o777),
    'lib may be written by every user; run chmod o-w',
  );
});

// Only root can change a file's owner; `npm test` reports if these did not run.
test.runIf(process.getuid?.() === 0).each([
  [
    'a file that a group may write',
    (at: string) => {
      chownSync(join(at, PACKAGE, NAME), process.getuid?.() as number, ANOTHER);
      chmodSync(join(at, PACKAGE, NAME), 0o664);
    },
    `${NAME} may be written by group ${ANOTHER}; run chmod g-w`,
  ],
  [
    "another user's folder",
    (at: string) => chownSync(join(at, 'lib'), ANOTHER, 0),
    `lib belongs to user ${ANOTHER}, not to root`,
  ],
  [
    "another user's link",
    (at: string) => {
      renameSync(at, `${at}.real`);
      symlinkSync(`${at}.real`, at);
      lchownSync(at, ANOTHER, ANOTHER);
    },
    `venv belongs to user ${ANOTHER}`,
  ],
])('a library in %s is skipped, and the refusal says why', (_, spoil, why) => {
  isPassedOver(spoil, why);
});

test('a named library is the only one considered', () => {
  const named = install('elsewhere');
  install('venv');
  const env = { VIRTUAL_ENV: join(root, 'venv') };
  expect(find({ ...env, ARRAY_INTERFACE_DPCTL_LIBRARY: named })).toEqual({
    found: [named],
    tried: [],
  });
  const missing = join(root, 'missing.so');
  const { found, tried } = find({ ...env, ARRAY_INTERFACE_DPCTL_LIBRARY: missing });
  expect(found).toEqual([]);
  expect(tried).toEqual([`ARRAY_INTERFACE_DPCTL_LIBRARY: ${missing} does not exist`]);
});

test('a link is followed, since the library finds its own libraries beside it', () => {
  const real = install('venv');
  const link = join(root, NAME);
  symlinkSync(real, link);
  expect(find({ ARRAY_INTERFACE_DPCTL_LIBRARY: link }).found).toEqual([real]);
});

test('the same library is tried once', () => {
  const library = install('venv');
  const env = { VIRTUAL_ENV: join(root, 'venv'), CONDA_PREFIX: join(root, 'venv') };
  expect(find({ ...env, PATH: python(join(root, 'venv', PACKAGE)) }).found).toEqual([library]);
});

test('names every place that has none', () => {
  mkdirSync(join(root, '.sycl-runtime'));
  const { found, tried } = find({ CONDA_PREFIX: join(root, 'conda') }, root, '/');
  expect(found).toEqual([]);
  expect(tried).toEqual([
    `.sycl-runtime: no dpctl in ${join(root, '.sycl-runtime')}`,
    '.sycl-runtime: none in / or its project',
    'VIRTUAL_ENV: not set',
    `CONDA_PREFIX: no dpctl in ${join(root, 'conda')}`,
    'python3: ENOENT',
  ]);
});

test('a python3 without dpctl is one of them', () => {
  expect(find({ PATH: python('') }).tried).toContain('python3: it has no dpctl');
});

test('the OpenCL driver is in the prefix', () => {
  const library = install('venv');
  expect(openClDriverOf(library)).toBe('');
  writeFileSync(join(root, 'venv/lib/libintelocl.so'), '');
  expect(openClDriverOf(library)).toBe(join(root, 'venv/lib/libintelocl.so'));
  chmodSync(join(root, 'venv/lib/libintelocl.so'), 0o666);
  expect(openClDriverOf(library)).toBe('');
});
