import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';

/** A device of a backend that is not here. */
interface OtherDevice {
  /** By the C library's number. */
  use(backend: number): void;
  /** Which copies it cannot do; '' for none. */
  limitation(): string;
  /** What a copy of every `step`-th number is refused for, or null. */
  copy(step: number): { readonly code: string; readonly message: string } | null;
}

const folder =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(import.meta.dirname, '../../build/Release');
const device = createRequire(import.meta.url)(
  join(folder, 'test/other_device.node'),
) as OtherDevice;

test.each([
  ['cuda', 1 << 16],
  ['hip', 1 << 19],
])('a device of the backend %s says what it cannot do, and refuses it', (name, backend) => {
  device.use(backend);
  expect(device.limitation()).toBe(
    `kernels are SPIR-V, which devices of the backend ${name} do not run: only contiguous copies of ` +
      'equal dtypes',
  );
  expect(device.copy(1)).toBeNull();
  expect(device.copy(2)).toEqual({
    code: 'ERR_NOT_ACCESSIBLE',
    message: expect.stringMatching(
      new RegExp(`expected a contiguous copy .* ${name}:gpu:0 can do .*, got another; rearrange `),
    ),
  });
});

test.each([
  ['opencl', 1 << 18],
  ['level_zero', 1 << 17],
])('one of the backend %s can do everything', (_, backend) => {
  device.use(backend);
  expect(device.limitation()).toBe('');
  expect([device.copy(1), device.copy(2)]).toEqual([null, null]);
});

test('the devices here can do everything', () => {
  expect(sycl.devices().length).toBeGreaterThan(0);
  expect(sycl.devices().map(({ limitation }) => limitation)).toEqual(
    sycl.devices().map(() => null),
  );
});
