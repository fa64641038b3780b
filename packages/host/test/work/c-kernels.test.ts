import { defineKernel } from '@array-interface/core/kernel';
import { host } from '@array-interface/host';
import { expect, test } from 'vitest';
import { addon } from '../../src/addon.js';
import { functions, Held, settles } from '../support/c-functions.js';
import { mappings } from '../support/mappings.js';
import { refused } from '../support/refused.js';
import { seen } from '../support/seen.js';

const showParts = defineKernel({
  name: 'showParts',
  parameters: { target: { write: 'uint32' } },
  code: { host: { address: functions.showParts } },
});

test.each([
  { range: [1, 5, 2], threads: 3, parts: [13, 1033, 1033, 3053, 3053], each: 2 },
  { range: [1, 5, 2], threads: 9, parts: [13, 1023, 2033, 3043, 4053], each: 2 },
  { range: [1, 5, 2], threads: 1, parts: [53], each: 10 },
  { range: [1, 4], threads: 2, parts: [22, 2042], each: 2 },
  { range: [4], threads: 2, parts: [11, 11], each: 2 },
  { range: [1, 1, 3], threads: 2, parts: [13], each: 3 },
  { range: [2, 3, 4], threads: 2, parts: [33], each: 24 },
])(
  '$threads threads share the range $range along its slowest axis',
  async ({ range, threads, parts, each }) => {
    using queue = host.createQueue({ threads });
    const size = range.reduce((product, length) => product * length);
    using target = host.empty([size], 'uint32');
    await host.fill(target, 0);
    await host.launch(showParts, { range, queue }, { target });
    const expected = parts.flatMap((part) => Array.from({ length: each }, () => part));
    expect([...(await host.toTypedArray(target))]).toEqual(expected);
  },
);

test('as many threads as the queue has work at one time', async () => {
  const meet = defineKernel({
    name: 'meet',
    parameters: { parts: 'uint32' },
    code: { host: { address: functions.meet } },
  });
  using queue = host.createQueue({ threads: 6 });
  functions.takeCalls();
  await host.launch(meet, { range: [600], queue }, { parts: 6 });
  expect(functions.takeCalls()).toBe(6);
});

test('values of every kind are in their slots', async () => {
  const showValues = defineKernel({
    name: 'showValues',
    parameters: {
      target: { write: 'float64' },
      ...({
        a: 'int8',
        b: 'uint16',
        c: 'int32',
        d: 'int64',
        e: 'uint64',
        f: 'float32',
        g: 'float64',
      } as const),
      array: { read: 'int16', strides: 2 },
      local: { local: 'uint16' },
      first: { first: 0 },
    },
    code: { host: { address: functions.showValues } },
  });
  using target = host.empty([11], 'float64');
  await host.fill(target, -1);
  using array = await host.array(
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    { dtype: 'int16' },
  );
  const values = {
    a: -7,
    b: 65535,
    c: -(2 ** 31),
    d: -(2n ** 53n),
    e: 2 ** 53 - 1,
    f: 0.5,
    g: 0.1,
  };
  await host.launch(
    showValues,
    { range: [1], group: [1] },
    { ...values, target, array: array.flip(), local: 100 },
  );
  const numbers = [-7, 65535, -(2 ** 31), -(2 ** 53), 2 ** 53 - 1, 0.5, 0.1];
  // [1, 2] of the flipped array; 7 of local memory at a multiple of 64; first; the size of the range
  expect([...(await host.toTypedArray(target))]).toEqual([...numbers, 1, 7, 0, 80]);
});

test('a struct is at an address that suits its vectors, and what follows is in its slots', async () => {
  const showStruct = defineKernel({
    name: 'showStruct',
    parameters: {
      target: { write: 'float64' },
      shift: {
        struct: [
          ['id', 'uint8'],
          ['', '|V15'],
          ['by', 'float32', [4]],
          ['scale', 'float64'],
          ['parts', 'int16', [2, 3]],
          ['', '|V12'],
        ],
      },
      half: 'float16',
      flag: 'bool',
      count: { size: 'target', type: 'uint64' },
    },
    code: { host: { address: functions.showStruct } },
  });
  const parts = [
    [1, 2, 3],
    [4, 5, -6],
  ];
  const shift = { id: 200, by: [0.5, 1, 2, 0.25], scale: 0.1, parts };
  using target = host.empty([8], 'float64');
  for (let times = 0; times < 3; times++) {
    await host.fill(target, -1);
    await host.launch(showStruct, { range: [1] }, { target, shift, half: 1.5, flag: true });
    expect([...(await host.toTypedArray(target))]).toEqual([200, 0.75, 0.1, -6, 0, 0x3e00, 1, 8]);
  }
});

test('neither the event loop nor its thread pool is blocked', async () => {
  using elements = await host.array([1, 2], { dtype: 'float32' });
  const held = new Held(elements, 10);
  expect(await settles(held.launched)).toBe(false);
  held.letGo();
  await held.launched;
  expect(await host.toTypedArray(elements)).toEqual(Float32Array.of(11, 12));
});

test('memory is kept while work on it is pending, whoever owned it', async () => {
  const elements = await host.array([1, 2], { dtype: 'float32' });
  const { pointer } = elements;
  const held = new Held(elements, 10);
  elements[Symbol.dispose]();
  expect(elements.disposed).toBe(true);
  expect(addon().find(pointer)).toEqual({ pointer, byteLength: 8 });
  held.letGo();
  await held.launched;
  expect(addon().find(pointer)).toBeNull();
});

test('memory that JavaScript or the system may remove is refused', async () => {
  await refused(() => new Held(new Float32Array(2), 1).launched, 'ERR_NOT_ACCESSIBLE');
  const mapping = mappings(/^r--/).find(({ low, high }) => high - low >= 4096n);
  if (mapping === undefined) throw new Error('expected a read-only mapping, got none');
  const data = [mapping.low, false] as const;
  const __array_interface__ = { version: 3, shape: [2], typestr: '<f4', data };
  await refused(() => new Held({ __array_interface__ }, 1).launched, 'ERR_NOT_ACCESSIBLE');
});

test('the addon checks its arguments once more', async () => {
  const native = addon();
  const [items, none] = [Uint8Array.of(1, 0, 0, 0), new Uint8Array()];
  const launch = (...given: unknown[]) =>
    (native.launch as (...all: unknown[]) => { ended: Promise<void> })(...given);
  const address = functions.meet;
  await refused(() => launch(0n, items, 1, none, none), 'ERR_ARGUMENT');
  await refused(() => launch(address, none, 1, none, none), 'ERR_ARGUMENT');
  await refused(() => launch(address, new Uint8Array(16), 1, none, none), 'ERR_ARGUMENT');
  await refused(() => launch(address, items, 1, items, none), 'ERR_ARGUMENT');
  await refused(() => launch(address, items, -1, none, none), 'ERR_TYPE');
  await refused(() => launch(5, items, 1, none, none), 'ERR_TYPE');
  await refused(() => native.join({} as never), 'ERR_TYPE');
});

test('local memory that does not exist is refused, and nothing runs', async () => {
  const kernel = defineKernel({
    name: 'local',
    parameters: { parts: 'uint32', local: { local: '|S65535' } },
    code: { host: { address: functions.meet } },
  });
  using queue = host.createQueue({ threads: 3 });
  functions.takeCalls();
  const grid = { range: [3], group: [1], queue };
  const launch = (local: number) => host.launch(kernel, grid, { parts: 0, local });
  await refused(() => launch(2 ** 32 - 1), 'ERR_OVERFLOW');
  expect(functions.takeCalls()).toBe(0);
  await launch(0);
  expect(functions.takeCalls()).toBe(3);
});

test('a kernel is refused if no thread can start, and the next one runs', () => {
  expect(seen('kernel-threads')).toEqual({
    code: 'ERR_OUT_OF_MEMORY',
    sum: 3,
    left: 0,
    allocations: 0,
  });
});

test('a kernel that gets fewer threads than it has parts runs them all', () => {
  expect(seen('few-threads')).toEqual({ parts: [12, 1022, 2032, 3042], left: 0 });
});

test.each(['terminate', 'exit', 'end'])(
  'an ending environment waits for its kernels: %s',
  (how) => {
    expect(seen('ending-kernels', how)).toEqual({ hasEnded: true, left: 0, allocations: 0 });
  },
);
