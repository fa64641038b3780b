import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { diagnosis } from '../src/diagnosis.js';

it('says what a device cannot do, under the device', () => {
  const device = { index: 0, name: 'A', type: 'gpu', driverVersion: '1', memory: 2 ** 31 };
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

it('shows what drivers and the environment say without what a terminal obeys', () => {
  const text = 'x\u001b[31m\u202e\n';
  const identity = { name: 'cuda', package: '@array-interface/cuda' };
  const device = { index: 0, name: text, type: 'gpu', driverVersion: text, memory: 1 };
  const there = { available: true, version: text, library: text, problem: text } as const;
  const devices = [{ ...device, limitation: text }];
  const shown = [
    diagnosis({ ...identity, ...there, devices }),
    diagnosis({ ...identity, available: false, reason: text, tried: [text], remedy: text }),
  ].join('\n');
  const escaped = 'x\\u001b[31m\\u202e\\u000a';
  expect(stripVTControlCharacters(shown).split(escaped)).toHaveLength(10);
  expect(stripVTControlCharacters(shown)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});
