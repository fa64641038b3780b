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
