import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../run.mjs';
import { environmentOf } from './environment.mjs';

/** The Pythons that the addon must support; `t` is a free-threaded build. */
export const VERSIONS = ['3.10', '3.11', '3.12', '3.13', '3.14', '3.13t', '3.14t'];
/** Tests that need dpctl. The environments of other versions have NumPy alone; npm test has both. */
export const WITH_DPCTL = 'test/**/*sycl*.test.ts';

const QUESTION = `
import json, os, sys, sysconfig
of = lambda name: sysconfig.get_config_var(name) or ''
print(json.dumps({
    'version': '%d.%d' % sys.version_info[:2] + ('t' if of('Py_GIL_DISABLED') else ''),
    'full': '%d.%d.%d' % sys.version_info[:3] + ('t' if of('Py_GIL_DISABLED') else ''),
    'program': os.path.realpath(sys.executable),
    'shared': not of('INSTSONAME').endswith('.a') and os.path.exists(os.path.join(of('LIBDIR'), of('INSTSONAME'))),
}))
`;

/** Asks a program for its version and build. Returns null if it is not a working Python. */
function ask(program) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return JSON.parse(execFileSync(program, ['-c', QUESTION], options));
  } catch {
    return null; // for example, pyenv's shim of a version that is not selected
  }
}

/** Where `npm run setup:pythons` builds them: `cpython-3.14t`. */
export const BUILT = path.join(root, '.peers');

const subfolders = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/** Programs that may be Pythons: those on the PATH, the system's, pyenv's, and those built here. */
function candidates() {
  const named = VERSIONS.map((version) => `python${version}`);
  const versions = path.join(
    process.env.PYENV_ROOT ?? path.join(os.homedir(), '.pyenv'),
    'versions',
  );
  const ours = subfolders(BUILT).filter((name) => /^cpython-[\d.]+t?$/.test(name));
  const folders = [
    ...subfolders(versions).map((name) => path.join(versions, name)),
    ...ours.map((name) => path.join(BUILT, name)),
  ];
  const inThem = folders.map((folder) => path.join(folder, 'bin', 'python3')).filter(existsSync);
  return ['python3', ...named, '/usr/bin/python3', ...inThem];
}

const environmentFor = ({ version, program, full }) => ({
  ...environmentOf({
    name: `python-${version}`,
    what: `NumPy for ${program}`,
    size: '0.1 GB, 17 MB to fetch',
    bytesNeeded: 300_000_000,
    // 3.10 needs an older NumPy: the last release that supports it.
    pins: `testing/peers/numpy${version === '3.10' ? '-3.10' : ''}.txt`,
    target: `.peers/python-${full}${program.startsWith('/usr/bin/') ? '-system' : ''}`,
  }),
  command: program,
});

/**
 * Every Python of this machine that the addon must support: its `version` (`3.13`), and the
 * `environment` with NumPy that is created from it. `missing` lists the versions that are not
 * installed, each with the reason.
 */
export function findPythons() {
  const answers = candidates().flatMap((program) => ask(program) ?? []);
  const all = [...new Map(answers.map((answer) => [answer.program, answer])).values()];
  const wanted = all.filter(({ version }) => VERSIONS.includes(version));
  const pythons = wanted.filter(({ shared }) => shared);
  const missing = VERSIONS.filter((version) => !pythons.some((one) => one.version === version)).map(
    (version) => {
      const isStatic = wanted.some((one) => one.version === version);
      const reason = isStatic ? 'it has no shared libpython' : 'it is not on this machine';
      return { version, reason };
    },
  );
  const found = pythons.map((python) => ({ ...python, environment: environmentFor(python) }));
  return { found: found.sort((a, b) => compare(a.full, b.full)), missing };
}

const compare = (a, b) => a.localeCompare(b, 'en', { numeric: true });
