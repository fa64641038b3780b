import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** Kernels of a device whose compiler the test controls. */
interface SlowCompiler {
  /** Makes a new device, by default a CPU without local memory. None of its kernels is built. */
  start(selector?: string, localMemory?: number): void;
  /** Copies every `step`-th byte, and tells by which kernel: that of all copies or its kind's. */
  copy(units: number, step: number): 'shared' | 'rows' | 'tiles';
  /** Items of the last launch along its first index. */
  items(): number;
  /** Builds on other threads than this begin, and do not end. */
  hold(held: boolean): void;
  /** Builds fail. */
  refuse(refused: boolean): void;
  /** Builds that began. */
  builds(): number;
  isPrepared(): boolean;
  /** An environment begins. */
  enter(): void;
  /** An environment ends. Builds are released meanwhile. */
  leave(): void;
  /** The process is about to exit. */
  endBuilding(): void;
}

const folder =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(import.meta.dirname, '../../build/Release');
const require = createRequire(import.meta.url);
const device = require(join(folder, 'test/slow_compiler.node')) as SlowCompiler;

const WORTH_BUILDING = 2 ** 12;
const WORTH_WAITING = 2 ** 24;

const prepared = () => vi.waitFor(() => expect(device.isPrepared()).toBe(true), 100_000);
const building = (count: number) =>
  vi.waitFor(() => expect(device.builds()).toBe(count), { timeout: 100_000, interval: 1 });

beforeEach(() => {
  device.enter();
  device.start();
  device.copy(1, 1); // builds the shared kernel
});

afterEach(async () => {
  device.hold(false);
  device.refuse(false);
  try {
    await prepared();
  } finally {
    device.leave();
  }
});

test('a copy that is worth its own kernel uses the shared one until that is built', async () => {
  device.hold(true);
  expect(device.copy(WORTH_BUILDING, 2)).toBe('shared');
  expect(device.copy(WORTH_BUILDING, 2)).toBe('shared');
  await building(2);
  expect(device.isPrepared()).toBe(false);
  device.hold(false);
  await prepared();
  expect(device.copy(WORTH_BUILDING, 2)).toBe('rows');
  expect(device.copy(2, 2)).toBe('rows');
  expect(device.copy(2, 3)).toBe('shared');
  expect(device.builds()).toBe(2);
});

test.each([
  [1, 256],
  [251, 256],
  [512, 512],
  [WORTH_BUILDING - 3, WORTH_BUILDING],
  [0x7fffffff, 0x7fffff00],
])('the shared kernel copies %i units in whole groups of items', (units, items) => {
  device.hold(true);
  device.refuse(true);
  expect(device.copy(units, 2)).toBe('shared');
  expect(device.items()).toBe(items);
});

test('a smaller copy requests none', async () => {
  expect(device.copy(WORTH_BUILDING - 1, 2)).toBe('shared');
  await prepared();
  expect(device.builds()).toBe(1);
});

test('a very large copy builds its own before it runs', () => {
  expect(device.copy(WORTH_WAITING - 1, 2)).toBe('shared');
  expect(device.copy(WORTH_WAITING, 3)).toBe('rows');
});

test('a very large copy does not wait for other builds, and does not repeat them', async () => {
  device.hold(true);
  device.copy(WORTH_BUILDING, 2);
  await building(2);
  device.copy(WORTH_BUILDING, 3);
  expect(device.copy(WORTH_WAITING, 3)).toBe('rows');
  expect(device.copy(WORTH_WAITING, 2)).toBe('rows');
  device.refuse(true); // the other build of 2, which ends now
  device.hold(false);
  await prepared();
  expect(device.builds()).toBe(4);
  expect([device.copy(2, 2), device.copy(2, 3)]).toEqual(['rows', 'rows']);
});

test('what the compiler refuses is not built again, and the shared kernel copies', async () => {
  device.refuse(true);
  expect(device.copy(WORTH_BUILDING, 2)).toBe('shared');
  expect(device.copy(WORTH_WAITING, 3)).toBe('shared');
  await prepared();
  device.refuse(false);
  expect(device.copy(WORTH_BUILDING, 2)).toBe('shared');
  expect(device.copy(WORTH_WAITING, 3)).toBe('shared');
  await prepared();
  expect(device.builds()).toBe(3);
});

test('the last thread that ends drops builds that have not begun, and the next requests them again', async () => {
  device.hold(true);
  device.copy(WORTH_BUILDING, 2);
  await building(2);
  device.copy(WORTH_BUILDING, 3);
  device.copy(WORTH_BUILDING, 4);
  device.leave();
  const left = { isPrepared: device.isPrepared(), builds: device.builds() };
  device.enter();
  expect(left).toEqual({ isPrepared: true, builds: 2 });
  expect(device.copy(2, 2)).toBe('rows');
  expect(device.copy(WORTH_BUILDING, 3)).toBe('shared');
  await prepared();
  expect(device.copy(WORTH_BUILDING, 3)).toBe('rows');
  expect(device.builds()).toBe(3);
});

test.each([
  ['opencl:cpu:0', 184 * 1024, 3, 'tiles'],
  ['opencl:cpu:0', 184 * 1024, 2, 'rows'],
  ['opencl:cpu:0', 184 * 1024 - 1, 3, 'rows'],
  ['level_zero:gpu:0', 2 ** 20, 3, 'rows'],
] as const)(
  'on %s with %i bytes of local memory every %ith byte is copied by %s',
  (selector, bytes, step, kernel) => {
    device.start(selector, bytes);
    expect(device.copy(WORTH_WAITING, step)).toBe(kernel);
  },
);

// The last: there is no way back from it.
test('nothing is built once the process is about to exit', async () => {
  device.endBuilding();
  expect(device.copy(WORTH_BUILDING, 2)).toBe('shared');
  await prepared();
  expect(device.copy(WORTH_BUILDING, 2)).toBe('shared');
  expect(device.builds()).toBe(1);
});
