import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { Bindings } from '../../src/commands/bindings.js';
import { diagnosis, pythonDiagnosis } from '../../src/commands/diagnosis.js';

it('says below a device what it cannot do', () => {
  const device = {
    index: 0,
    name: 'A',
    type: 'gpu',
    driverVersion: '1',
    memory: 2 ** 31,
    handle: 0n,
  };
  const limitation = 'kernels are SPIR-V, which devices of the backend cuda do not run';
  const text = diagnosis({
    name: 'sycl',
    package: '@array-interface/sycl',
    available: true,
    version: '2',
    library: 'libsycl.so',
    devices: [
      { ...device, limitation },
      { ...device, index: 1, memory: 2 ** 30 - 1, limitation: null },
    ],
    problem: null,
  });
  expect(stripVTControlCharacters(text).split('\n')).toEqual([
    '✓ sycl  version 2, libsycl.so',
    '    device 0  A (gpu), 2.0 GiB, driver 1',
    `              ${limitation}`,
    '    device 1  A (gpu), 1073741823 bytes, driver 1',
  ]);
});

it('shows text of drivers and of the environment without control characters', () => {
  const text = 'x\u001b[31m\u202e\n';
  const identity = { name: 'cuda', package: '@array-interface/cuda' };
  const device = { index: 0, name: text, type: 'gpu', driverVersion: text, memory: 1, handle: 0n };
  const there = { available: true, version: text, library: text, problem: text } as const;
  const devices = [{ ...device, limitation: text }];
  const python = { name: 'python', package: text, program: text, freeThreaded: true } as const;
  const shown = [
    pythonDiagnosis({ ...python, available: true, version: text, library: text, bindings: [] }),
    diagnosis({ ...identity, ...there, devices }),
    diagnosis({ ...identity, available: false, reason: text, tried: [text], remedy: text }),
  ].join('\n');
  const escaped = 'x\\u001b[31m\\u202e\\u000a';
  expect(stripVTControlCharacters(shown).split(escaped)).toHaveLength(13);
  expect(stripVTControlCharacters(shown)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

it('says which Python is found', () => {
  const python = {
    name: 'python',
    package: '@array-interface/python',
    available: true,
    version: '3.13.0',
    library: '/lib/libpython3.13t.so.1.0',
    program: '/bin/python3.13t',
    bindings: [],
  } as const;
  const shown = (freeThreaded: boolean) =>
    stripVTControlCharacters(pythonDiagnosis({ ...python, freeThreaded })).split('\n');
  const first = '✓ python  version 3.13.0, /lib/libpython3.13t.so.1.0';
  expect(shown(true)).toEqual([first, '    program  /bin/python3.13t, free-threaded']);
  expect(shown(false)).toEqual([first, '    program  /bin/python3.13t']);
});

it('says whose OpenSSL and zlib Python calls', () => {
  const there = { available: true, version: '3', library: 'l', program: 'p', freeThreaded: false };
  const python = { name: 'python', package: '', ...there } as const;
  const shown = (bindings: readonly Bindings[] | null) =>
    stripVTControlCharacters(pythonDiagnosis({ ...python, available: true, bindings }))
      .split('\n')
      .slice(2);
  const [ssl, zlib] = [
    { module: '_ssl', own: 0, node: 195 },
    { module: 'zlib', own: 13, node: 0 },
  ];
  expect(shown([ssl, zlib])).toEqual([
    "    _ssl  calls Node's OpenSSL (functions: 0 its own, 195 of Node)",
    '    zlib  calls its own zlib (functions: 13 its own, 0 of Node)',
  ]);
  expect(shown(null)).toEqual(['    whose OpenSSL and zlib it calls cannot be read']);
});
