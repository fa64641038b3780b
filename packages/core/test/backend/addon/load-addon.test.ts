import { describe, expect, test } from 'vitest';
import {
  type AddonPlaces,
  backendUnavailable,
  loadAddon,
  type NativeAddon,
} from '../../../src/backend/index.js';
import { ArrayInterfaceError, isArrayInterfaceError } from '../../../src/index.js';

/** A machine: what Node reports of it, and the files on its disk. */
interface Machine {
  readonly platform?: string;
  readonly arch?: string;
  readonly glibc?: string | undefined;
  readonly folder?: string;
  /** What each file is. A text is what the system's loader says of it. */
  readonly files?: Readonly<Record<string, 'addon' | 'x64' | 'arm64' | 'riscv' | string>>;
}

const BUILT = '/app/build/Release/';
const ALL = ['linux-x64-gnu', 'linux-arm64-gnu', 'linux-x64-musl', 'linux-arm64-musl'];
const PACKAGED = '@array-interface/native-linux-x64-gnu/some.node';
const MUSL = '@array-interface/native-linux-x64-musl/some.node';
const EM: Readonly<Record<string, number>> = { x64: 62, arm64: 183, riscv: 243 };

/** The first bytes of a file for a machine, with what Node's buffers have that browsers lack. */
function elf(machine: number) {
  const bytes = new DataView(new ArrayBuffer(64));
  bytes.setUint32(0, 0x7f454c46);
  bytes.setUint16(18, machine, true);
  return {
    length: bytes.byteLength,
    readUInt32BE: (offset: number) => bytes.getUint32(offset),
    readUInt16LE: (offset: number) => bytes.getUint16(offset, true),
  };
}

/** The outcome of a load on a machine, with how often the C library was queried from Node. */
function loadOn(machine: Machine, targets: readonly string[] = ALL) {
  const { platform = 'linux', arch = 'x64', folder, files = {} } = machine;
  let reports = 0;
  const initialized: unknown[] = [];
  const header = { glibcVersionRuntime: 'glibc' in machine ? machine.glibc : '2.36' };
  const report = { getReport: () => ({ header, count: ++reports }) };
  const modules: Record<string, unknown> = {
    'node:process': { platform, arch, report, env: { ARRAY_INTERFACE_ADDON_DIR: folder } },
    'node:path': { resolve: (...parts: string[]) => parts.join('/') },
    'node:fs': {
      existsSync: (path: string) => path in files,
      readFileSync: (path: string) => {
        if (files[path] === 'EACCES') throw new Error('EACCES: permission denied');
        return elf(EM[files[path] ?? ''] ?? EM[arch] ?? 0);
      },
    },
  };
  const resolve = (id: string) => {
    if (id in files) return id;
    throw new Error(`Cannot find module '${id}'`);
  };
  const require = Object.assign(
    (id: string) => {
      if (id in modules) return modules[id];
      const file = files[resolve(id)];
      if (file !== 'addon') throw new Error(`${file}\n more`);
      return { file: id, initialize: (given: unknown) => initialized.push(given) };
    },
    { resolve },
  );
  const places: AddonPlaces = { name: 'some', built: BUILT, targets, require };
  const found = loadAddon<NativeAddon & { readonly file: string }>(places);
  return { found, reports, initialized };
}

const fileOn = (machine: Machine) => {
  const { found } = loadOn(machine);
  return found.available ? found.addon.file : found.reason;
};

describe('the addon is taken from', () => {
  const files = { '/own/some.node': 'addon', [`${BUILT}some.node`]: 'addon', [PACKAGED]: 'addon' };

  test('the folder that the environment names, before all others', () => {
    expect(fileOn({ files, folder: '/own' })).toBe('/own/some.node');
  });

  test('the checkout’s own build, before the package', () => {
    expect(fileOn({ files })).toBe(`${BUILT}some.node`);
  });

  test('the package of this system, if only one is installed', () => {
    const { found, reports, initialized } = loadOn({ files: { [PACKAGED]: 'addon' } });
    expect(found).toMatchObject({ available: true, addon: { file: PACKAGED } });
    expect(reports).toBe(0);
    expect(initialized).toEqual([ArrayInterfaceError]);
  });

  test('the package of this C library, if those of both are installed', () => {
    const both = { [PACKAGED]: 'addon', [MUSL]: 'addon' };
    expect(fileOn({ files: both })).toBe(PACKAGED);
    expect(fileOn({ files: both, glibc: undefined })).toBe(MUSL);
  });
});

const ELSEWHERE = 'or set ARRAY_INTERFACE_ADDON_DIR to a folder that has some.node';

describe('a missing addon is a result, not an error', () => {
  test('if the environment names a folder without it', () => {
    const files = { [PACKAGED]: 'addon' };
    expect(loadOn({ files, folder: '/own' }).found).toEqual({
      available: false,
      reason: 'the some addon at /own/some.node cannot be loaded: there is no such file',
      tried: ['/own/some.node'],
      remedy: 'build it there, or unset ARRAY_INTERFACE_ADDON_DIR',
    });
  });

  test('if no package is installed for this system', () => {
    const arm = '@array-interface/native-linux-arm64';
    expect(loadOn({ arch: 'arm64', files: { [PACKAGED]: 'addon' } }).found).toEqual({
      available: false,
      reason: 'the package with the some addon for linux-arm64 is not installed',
      tried: [`${arm}-gnu/some.node`, `${arm}-musl/some.node`],
      remedy:
        'reinstall @array-interface/some on this machine, with its optional dependencies, ' +
        ELSEWHERE,
    });
  });

  test('if a checkout has not built it', () => {
    const files = { [`${BUILT}../../CMakeLists.txt`]: 'source' };
    expect(loadOn({ files }).found).toMatchObject({
      tried: [`${BUILT}some.node`, PACKAGED, MUSL],
      remedy: `run \`npm run setup\`, which builds it, ${ELSEWHERE}`,
    });
  });

  test.each([
    ['darwin', 'arm64'],
    ['win32', 'x64'],
    ['linux', 'ia32'],
  ])('if there is none for %s-%s', (platform, arch) => {
    const { found } = loadOn({ platform, arch });
    expect(found).toMatchObject({
      available: false,
      reason: `the some addon is not built for ${platform}-${arch}, only for ${ALL.join(', ')}`,
    });
  });

  test('if a backend has fewer binaries than others', () => {
    const { found } = loadOn({ arch: 'arm64' }, ['linux-x64-gnu']);
    expect(found).toMatchObject({
      reason: 'the some addon is not built for linux-arm64, only for linux-x64-gnu',
    });
  });
});

describe('a file that cannot be loaded says why', () => {
  test.each([
    ['arm64', 'it is built for arm64, but this process is x64'],
    ['riscv', 'it is built for another processor, but this process is x64'],
    ["version `GLIBC_2.28' not found", "version `GLIBC_2.28' not found"],
    ['EACCES', 'EACCES'],
  ])('%s', (file, why) => {
    const { found } = loadOn({ files: { [PACKAGED]: file } });
    expect(found).toMatchObject({
      available: false,
      reason: `the some addon at ${PACKAGED} cannot be loaded: ${why}`,
      tried: [PACKAGED],
      remedy: expect.stringContaining('glibc 2.28 or newer, or musl'),
    });
  });

  test('and one of a checkout, how to build it again', () => {
    const { found } = loadOn({ files: { [`${BUILT}some.node`]: 'invalid ELF header' } });
    expect(found).toMatchObject({ remedy: expect.stringContaining('npm run setup') });
  });
});

test('the error of a backend names the reason, what was tried, and the remedy', () => {
  const { found } = loadOn({ platform: 'darwin', arch: 'arm64' });
  if (found.available) throw new Error('expected no addon');
  const error = backendUnavailable('the some addon', { ...found, tried: ['one', 'two'] });
  expect(isArrayInterfaceError(error, 'ERR_BACKEND_UNAVAILABLE')).toBe(true);
  expect(error.message).toBe(
    '[ERR_BACKEND_UNAVAILABLE] expected the some addon, got none: the some addon is not built for darwin-arm64, only for ' +
      `${ALL.join(', ')} (tried one; two); use one of these systems, or @array-interface/core ` +
      'alone, which runs everywhere',
  );
});
