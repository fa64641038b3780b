import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPython } from '../../src/find-python.js';
import { venv } from '../support/environment.js';

const PATH = process.env['PATH'];
const program = join(venv, 'bin/python');
const real = findPython({ venv });
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-python-'));
});
afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(folder, { recursive: true });
});

/** Makes a program of a shell script, in an environment of its own or on the PATH alone. */
function script(text: string, name = 'bin/python'): string {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

/** An environment whose program says that of itself. */
function says(answer: object, name?: string): string {
  const whole = {
    implementation: 'cpython',
    program,
    prefix: venv,
    version: '3.11.7',
    libraries: [],
    ...answer,
  };
  return script(`echo '${JSON.stringify(whole)}'`, name);
}

function refusal(options: Parameters<typeof findPython>[0]): unknown {
  try {
    return findPython(options);
  } catch (error) {
    const { code, path, reason } = error as { code: string; path: string; reason: string };
    return { code, path, message: reason };
  }
}

const refused = (path: string, message: RegExp) => ({
  code: 'ERR_BACKEND_UNAVAILABLE',
  path,
  message: expect.stringMatching(message),
});

describe('a Python that another user could change', () => {
  it('is not started, if it is the library', () => {
    const library = join(folder, `libpython${real.version}.so.1.0`);
    writeFileSync(library, readFileSync(real.library));
    chmodSync(library, 0o777);
    expect(refusal({ venv, library })).toEqual({
      code: 'ERR_BACKEND_UNAVAILABLE',
      path: 'library',
      message:
        'expected a Python that no other user can change, got one where ' +
        `${library} may be written by every user; run chmod o-w ${library} if you trust what is there`,
    });
  });

  it('or the program', () => {
    const own = says({ program: join(folder, 'bin/python'), libraries: [real.library] });
    expect(findPython({ venv: own }).program).toBe(join(folder, 'bin/python'));
    chmodSync(join(folder, 'bin'), 0o777);
    expect(refusal({ venv: own })).toMatchObject({
      path: 'venv',
      message: expect.stringContaining(`${join(folder, 'bin')} may be written by every user`),
    });
  });

  it('is not even asked for its version', () => {
    const marker = join(folder, 'was-run');
    mkdirSync(join(folder, 'bin'));
    const program = join(folder, 'bin/python');
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\n`);
    chmodSync(program, 0o777);
    expect(refusal({ venv: folder })).toMatchObject({
      path: 'venv',
      message: expect.stringContaining(`${program} may be written by every user`),
    });
    expect(existsSync(marker)).toBe(false);
  });
});

describe('an environment', () => {
  it('has its own program, and the library of its Python', () => {
    const [major, minor] = real.version.split('.');
    expect(real.program).toBe(program);
    expect(real.prefix).toBe(realpathSync(venv));
    expect(real.library).toContain(`libpython${major}.${minor}`);
    expect(realpathSync(real.library)).toBe(real.library);
  });

  it('is also the folder of a Python whose only name is python3', () => {
    script(`exec ${program} "$@"`, 'bin/python3');
    expect(findPython({ venv: folder }).library).toBe(real.library);
  });

  it('is found under another name, and from another folder', () => {
    symlinkSync(venv, join(folder, 'other'));
    const { prefix, library } = findPython({ venv: join(folder, 'other') });
    expect({ prefix, library }).toEqual({ prefix: real.prefix, library: real.library });
  });

  it('may print more than the answer', () => {
    const own = script(`echo 'welcome'; exec ${program} "$@"`);
    expect(findPython({ venv: own }).library).toBe(real.library);
  });

  it.each([
    ['no environment', '/nowhere', /got \/nowhere\/bin\/python: there is no such program; install/],
    ['a Python that ends', 'script', /bin\/python: no module named encodings; install/],
  ])('that does not run is refused: %s', (_, place, message) => {
    const failing = () => script('echo "Fatal" >&2; echo "no module named encodings" >&2; exit 1');
    expect(refusal({ venv: place === 'script' ? failing() : place })).toEqual(
      refused('venv', message),
    );
  });

  it.each([
    [{ implementation: 'pypy', version: '3.10.14' }, /got pypy 3\.10\.14 \(/],
    [{ version: '3.9.18' }, /expected CPython 3\.10 or newer, got cpython 3\.9\.18 \(/],
    [{ version: '2.7.18' }, /got cpython 2\.7\.18 \(/],
  ])('of another Python is refused: %o', (answer, message) => {
    expect(refusal({ venv: says(answer) })).toEqual(refused('venv', message));
  });

  it('of a static Python is refused with what to install', () => {
    const nowhere = { version: '3.12.3', libraries: ['/nowhere/libpython3.12.so.1.0'] };
    expect(refusal({ venv: says(nowhere) })).toEqual(
      refused('library', /without one; install the package libpython3\.12 .*--enable-shared/),
    );
  });

  it('of a static Python with a shared library beside it works', () => {
    const libraries = ['/nowhere/libpython3.so', real.library];
    expect(findPython({ venv: says({ libraries }) }).library).toBe(real.library);
  });
});

describe('without an environment', () => {
  it('python3 on the PATH is asked, also through a shim', () => {
    script(`exec ${program} "$@"`, 'bin/python3');
    process.env['PATH'] = `${join(folder, 'bin')}:${PATH}`;
    expect(findPython()).toEqual(real);
  });

  it('a PATH with no Python is refused', () => {
    process.env['PATH'] = folder;
    expect(refusal({})).toEqual(refused('venv', /got python3: there is no such program; install/));
  });

  it('modules in the working folder are not used', () => {
    writeFileSync(join(folder, 'json.py'), 'raise SystemExit(9)');
    const code = `import(${JSON.stringify(import.meta.resolve('../../dist/index.js'))})
      .then(({ startPython }) => console.log(startPython(${JSON.stringify({ venv })}).version))`;
    const said = execFileSync(process.execPath, ['--eval', code], { cwd: folder });
    expect(String(said).split(' ')[0]).toBe(real.version.replace('t', ''));
  });
});

describe('a library alone', () => {
  it('has the program that names it', () => {
    script(`exec ${program} "$@"`, 'bin/python3');
    process.env['PATH'] = `${join(folder, 'bin')}:${PATH}`;
    expect(findPython({ library: real.library })).toEqual(real);
  });

  it('has the program beside it', () => {
    process.env['PATH'] = folder;
    const { library, version } = findPython({ library: real.library });
    expect({ library, version }).toEqual({ library: real.library, version: real.version });
  });

  it.each([
    ['3.1', '3.11.7', false],
    ['3.11', '3.1.7', false],
    ['3.13t', '3.13.7', false],
    ['3.13', '3.13.7t', false],
    ['3.13', '3.13.7', true],
    ['3.13t', '3.13.7t', true],
  ])('of version %s with a program of %s belongs to it: that is %s', (of, version, isIts) => {
    process.env['PATH'] = join(says({ version }, 'bin/python3'), 'bin');
    const lib = join(folder, 'alone/in/lib'); // with no Python beside it
    mkdirSync(lib, { recursive: true });
    const library = join(lib, `libpython${of}.so.1.0`);
    writeFileSync(library, readFileSync(real.library));
    if (isIts) expect(findPython({ library }).version).toBe(version);
    else expect(refusal({ library })).toMatchObject({ path: 'library' });
  });

  it('without a program is refused', () => {
    process.env['PATH'] = folder;
    const library = join(folder, 'libpython3.99.so.1.0');
    writeFileSync(library, readFileSync(real.library).subarray(0, 64));
    expect(refusal({ library })).toEqual(
      refused('library', /the Python program that .*libpython3\.99.* belongs to, got none/),
    );
  });
});

describe('a file', () => {
  const written = (bytes: string | Buffer) => {
    const file = join(folder, 'libpython3.11.so');
    writeFileSync(file, bytes);
    return file;
  };
  const header = () => Buffer.from(readFileSync(real.library).subarray(0, 64));

  it('that is missing is refused', () => {
    expect(refusal({ library: '/nowhere/libpython3.11.so' })).toEqual(
      refused('library', /\/nowhere\/libpython3\.11\.so: there is no such file; name another/),
    );
  });

  it.each(['', 'text that is no library', '!<arch>\narchive of a static Python'])(
    'that is not a library is refused: %j',
    (text) => {
      const expected = refused('library', /libpython3\.11\.so: it is not a shared library; name/);
      expect(refusal({ library: written(text) })).toEqual(expected);
    },
  );

  it('that is a folder is refused', () => {
    expect(refusal({ library: folder })).toEqual(refused('library', /it is not a shared library/));
  });

  it.each([
    [process.arch === 'x64' ? 183 : 62, process.arch === 'x64' ? 'arm64' : 'x64'],
    [243, 'another processor'],
  ])('for another processor is refused: %i', (machine, name) => {
    const bytes = header();
    bytes.writeUInt16LE(machine, 18);
    expect(refusal({ library: written(bytes) })).toEqual(
      refused('library', new RegExp(`libpython3\\.11\\.so: it is built for ${name}; name another`)),
    );
  });
});
