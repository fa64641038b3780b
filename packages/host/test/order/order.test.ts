import { fromProducer, type OwnedArray } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { type HostArray, host } from '@array-interface/host';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addon } from '../../src/addon.js';
import { HostBackend } from '../../src/backend.js';
import { Held, settles } from '../support/c-functions.js';
import { refused } from '../support/refused.js';

// C kernels are pending while other work is requested. All of these begin with x = [1, 2] and a kernel
// that adds 10 to it.
let x: OwnedArray<HostArray>;
let held: Held;

beforeEach(async () => {
  x = await host.array([1, 2], { dtype: 'float32' });
});
afterEach(async () => {
  held.letGo();
  await host.synchronize();
  x[Symbol.dispose]();
});

const double = defineKernel({
  name: 'double',
  parameters: { source: { read: 'float32' }, target: { write: 'float32' } },
  mayOverlap: true,
  code: {
    host: {
      javascript({ source, target }) {
        for (const [i, value] of source.entries()) target[i] = value * 2;
      },
    },
  },
});

/** The elements of an array that nothing works on. */
function elementsOf(array: { readonly pointer: bigint }): number[] {
  const { pointer, byteLength } = addon().find(array.pointer) as {
    pointer: bigint;
    byteLength: number;
  };
  const made = addon().mapBuffer(pointer, byteLength, null, true) as NonNullable<
    ReturnType<ReturnType<typeof addon>['mapBuffer']>
  >;
  const elements = [...new Float32Array(made.buffer)];
  addon().unmapBuffer(made.mapped, made.buffer, null);
  return elements;
}

/** Work after the kernel: what it returns, and what x has when both have ended. */
const AFTER: Record<string, { work(): Promise<unknown>; gives?: number[]; leaves?: number[] }> = {
  'toTypedArray reads it': { work: () => host.toTypedArray(x), gives: [11, 12] },
  'toTypedArray reads a part': { work: () => host.toTypedArray(x.slice([[1, 2]])), gives: [12] },
  'toTypedArray reads it backwards': { work: () => host.toTypedArray(x.flip()), gives: [12, 11] },
  'toTypedArray converts it': {
    work: () => host.toTypedArray(x, { dtype: 'float64' }),
    gives: [11, 12],
  },
  'asTypedArray has it in place': { work: () => x.asTypedArray(), gives: [11, 12] },
  'copy reads it': {
    async work() {
      using y = host.empty([2], 'float32');
      await host.copy(y, x);
      return elementsOf(y);
    },
    gives: [11, 12],
  },
  'copy reads it into JavaScript memory': {
    async work() {
      const y = new Float32Array(2);
      await host.copy(y, x);
      return y;
    },
    gives: [11, 12],
  },
  'copy writes it': { work: () => host.copy(x, Float32Array.of(5, 6)), leaves: [5, 6] },
  'copy writes it from JavaScript memory that changes at once': {
    async work() {
      const y = Float32Array.of(0, 5, 0, 6, 0);
      using source = host.asArray(y);
      const copied = host.copy(x, source.slice([[1, 5, 2]]));
      y.fill(9);
      await copied;
    },
    leaves: [5, 6],
  },
  'copy converts JavaScript memory that changes at once': {
    async work() {
      const y = Int16Array.of(7, 5, 6, 7);
      const copied = host.copy(x, fromProducer(y.subarray(1, 3)));
      y.fill(9);
      await copied;
    },
    leaves: [5, 6],
  },
  'copy turns it around in place': { work: () => host.copy(x, x.flip()), leaves: [12, 11] },
  'fill writes it': { work: () => host.fill(x, 7), leaves: [7, 7] },
  'array copies it': {
    async work() {
      using y = await host.array(x);
      return elementsOf(y);
    },
    gives: [11, 12],
  },
  'array makes another shape of it': {
    async work() {
      using y = await host.array(x.flip(), { shape: [2, 1] });
      return elementsOf(y);
    },
    gives: [12, 11],
  },
  'a kernel of JavaScript reads it': {
    async work() {
      using y = host.empty([2], 'float32');
      await host.launch(double, { range: [2] }, { source: x, target: y });
      return elementsOf(y);
    },
    gives: [22, 24],
  },
  'a kernel of JavaScript writes it': {
    work: () => host.launch(double, { range: [2] }, { source: x, target: x }),
    leaves: [22, 24],
  },
  'a kernel of C writes it': { work: () => new Held(x, 0.5, 30).launched, leaves: [11.5, 12.5] },
  'a loan of it is read': {
    async work() {
      using loan = host.asArray(x);
      return await host.toTypedArray(loan);
    },
    gives: [11, 12],
  },
  'somebody without proof reads it': {
    async work() {
      using trusted = host.asArray({ __array_interface__: dictOf(x) }, { bounds: 'trust' });
      await host.use(host.createQueue(), { reads: [trusted] }, () => {});
      return elementsOf(x);
    },
    gives: [11, 12],
  },
  'others read it': {
    work: () => host.use(host.createQueue(), { reads: [x] }, () => elementsOf(x)),
    gives: [11, 12],
  },
  'others write it, and a copy reads it then': {
    async work() {
      const used = host.use(host.createQueue(), { writes: [x] }, async () => {
        expect(elementsOf(x)).toEqual([11, 12]);
        addon().copyBytes(x.pointer, x.pointer + 4n, 4);
      });
      const read = host.toTypedArray(x);
      await used;
      return read;
    },
    gives: [12, 12],
    leaves: [12, 12],
  },
  'another backend of this process reads it': {
    async work() {
      using y = another.empty([2], 'float32');
      await another.copy(y, x);
      return elementsOf(y);
    },
    gives: [11, 12],
  },
  'another backend of this process converts and turns it': {
    async work() {
      using y = another.empty([2], 'float32');
      await host.copy(y, x.flip());
      await another.copy(x, y);
      return elementsOf(y);
    },
    gives: [12, 11],
    leaves: [12, 11],
  },
  'another backend of this process writes it': {
    async work() {
      using y = await another.array([3, 4], { dtype: 'float32' });
      await host.copy(x, y);
    },
    leaves: [3, 4],
  },
  'array.synchronize waits for it': {
    async work() {
      await x.synchronize();
      return elementsOf(x);
    },
    gives: [11, 12],
  },
  'host.synchronize waits for it': {
    async work() {
      await host.synchronize();
      return elementsOf(x);
    },
    gives: [11, 12],
  },
  'queue.synchronize waits for it': {
    async work() {
      await queueOfHeld.synchronize();
      return elementsOf(x);
    },
    gives: [11, 12],
  },
  'the interface is there once it has ended': {
    async work() {
      await x.synchronize();
      expect(x.__array_interface__.data).toEqual([x.pointer, false]);
    },
  },
};

/** `resize` is newer than the compiler's library. */
const ResizableBuffer = ArrayBuffer as unknown as new (
  byteLength: number,
  options: { maxByteLength: number },
) => ArrayBuffer & { resize(byteLength: number): void };

const another = new HostBackend();
const queueOfHeld = host.createQueue();

function dictOf(array: HostArray) {
  return { version: 3, shape: [2], typestr: '<f4', data: [array.pointer, false] };
}

describe.each(['pending', 'ended'])('after a C kernel that is %s', (schedule) => {
  test.each(Object.entries(AFTER))('%s', async (_, { work, gives, leaves = [11, 12] }) => {
    held = new Held(x, 10, 60_000, queueOfHeld);
    if (schedule === 'ended') {
      held.letGo();
      await held.launched;
    }
    const result = work();
    if (schedule === 'pending') {
      expect(await settles(result)).toBe(false);
      expect(elementsOf(x)).toEqual([1, 2]);
      held.letGo();
    }
    const given = await result;
    if (gives !== undefined)
      expect([...(given as Iterable<number | bigint>)].map(Number)).toEqual(gives);
    expect(elementsOf(x)).toEqual(leaves);
  });
});

test('work on other memory does not wait, nor does reading memory that is only read', async () => {
  using y = await host.array([1, 2, 3], { dtype: 'float32' });
  held = new Held(y.slice([[0, 2]]), 10);
  expect(await settles(host.toTypedArray(x))).toBe(true);
  expect(await settles(host.fill(y.slice([[2, 3]]), 5))).toBe(true);
  expect(await settles(host.toTypedArray(held.gate))).toBe(true);
  expect(await settles(host.fill(y.slice([[1, 3]]), 5))).toBe(false);
  held.letGo();
  expect(await host.toTypedArray(y)).toEqual(Float32Array.of(11, 5, 5));
});

test('the interface is refused while a kernel works on the elements', async () => {
  using loan = host.asArray(x);
  held = new Held(x.slice([[0, 1]]), 10);
  for (const array of [x, x.flip(), loan, x.slice([[0, 1]])]) {
    await refused(() => array.__array_interface__, 'ERR_PENDING');
  }
  expect(x.slice([[1, 2]]).__array_interface__.shape).toEqual([1]);
  held.letGo();
  await x.synchronize();
  expect(x.__array_interface__.shape).toEqual([2]);
});

test('work is done in the order in which it was requested', async () => {
  held = new Held(x, 10);
  using y = host.empty([2], 'float32');
  const all = [
    host.copy(y, x),
    host.fill(x, 1),
    new Held(x, 3, 20).launched,
    host.launch(double, { range: [2] }, { source: x, target: x }),
    host.copy(x.slice([[0, 1]]), y.slice([[1, 2]])),
  ];
  const seen = await Promise.all([host.toTypedArray(x), host.toTypedArray(y), held.letGo()]);
  expect(seen.slice(0, 2)).toEqual([Float32Array.of(12, 8), Float32Array.of(11, 12)]);
  await Promise.all(all);
});

test('much work can wait', async () => {
  using y = await host.array([3, 4], { dtype: 'float32' });
  held = new Held(x, 10);
  const all = Array.from({ length: 5000 }, () => [host.copy(y, x), host.copy(x, y.flip())]).flat();
  held.letGo();
  await Promise.all(all);
  expect(elementsOf(x)).toEqual([11, 12]);
});

test('waiting work keeps its memory', async () => {
  const y = host.empty([2], 'float32');
  held = new Held(x, 10);
  const copied = host.copy(y, x);
  const { pointer } = y;
  y[Symbol.dispose]();
  x[Symbol.dispose]();
  for (const place of [x, y]) expect(place.disposed).toBe(true);
  expect(addon().find(pointer)).not.toBeNull();
  held.letGo();
  await copied;
  await held.launched;
  expect(addon().find(pointer)).toBeNull();
});

test('JavaScript memory that was detached meanwhile is refused, and later work goes on', async () => {
  held = new Held(x, 10);
  const detached = new Float32Array(2);
  const shrunk = new ResizableBuffer(8, { maxByteLength: 16 });
  const ends = [
    refused(() => host.copy(detached, x), 'ERR_DISPOSED'),
    refused(() => host.copy(shrunk, x.view('uint8')), 'ERR_OUT_OF_BOUNDS'),
    refused(
      () => host.launch(double, { range: [2] }, { source: x, target: detached }),
      'ERR_DISPOSED',
    ),
  ];
  await Promise.resolve(); // when `refused` has called them
  structuredClone(detached, { transfer: [detached.buffer] });
  shrunk.resize(7);
  const last = host.toTypedArray(x);
  held.letGo();
  await Promise.all(ends);
  expect(await last).toEqual(Float32Array.of(11, 12));
});

test('what a function throws after waiting is passed on unchanged, and later work goes on', async () => {
  held = new Held(x, 10);
  const reason = new RangeError('on purpose');
  const kernel = defineKernel({
    name: 'throws',
    parameters: { elements: { write: 'float32' } },
    code: {
      host: {
        javascript({ elements }) {
          elements[0] = 5;
          throw reason;
        },
      },
    },
  });
  const launched = host.launch(kernel, { range: [1] }, { elements: x });
  const seen = host.toTypedArray(x);
  held.letGo();
  await expect(launched).rejects.toBe(reason);
  expect(await seen).toEqual(Float32Array.of(5, 12));
});

test('a waiting copy can be aborted', async () => {
  held = new Held(x, 10);
  const controller = new AbortController();
  const { signal } = controller;
  const y = new Float32Array(2);
  const copies = [host.copy(y, x, { signal }), host.copy(x, x.flip(), { signal })];
  const kept = host.copy(new Float32Array(2), x, { signal: new AbortController().signal });
  controller.abort(new Error('enough'));
  for (const copy of copies) await expect(copy).rejects.toThrow('enough');
  held.letGo();
  await kept;
  await host.synchronize();
  expect(y).toEqual(new Float32Array(2));
  expect(elementsOf(x)).toEqual([11, 12]);
});

test('a waiting launch can be aborted, and later work goes on', async () => {
  held = new Held(x, 10);
  const controller = new AbortController();
  const { signal } = controller;
  const given = { source: x, target: x };
  const launched = host.launch(double, { range: [2], signal }, given);
  const kept = host.launch(double, { range: [2], signal: new AbortController().signal }, given);
  const seen = host.toTypedArray(x);
  controller.abort('enough');
  await expect(launched).rejects.toBe('enough');
  expect(elementsOf(x)).toEqual([1, 2]);
  held.letGo();
  await kept;
  expect(await seen).toEqual(Float32Array.of(22, 24));
});

test('a launch that has begun or ended cannot be aborted', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  held = new Held(x, 10, 60_000, undefined, signal);
  const late = host.launch(double, { range: [2], signal }, { source: x, target: x });
  controller.abort('late');
  await expect(late).rejects.toBe('late');
  expect(await settles(held.launched)).toBe(false);
  held.letGo();
  await held.launched;
  expect(elementsOf(x)).toEqual([11, 12]);
});

test('a launch that waited says how it failed, although it has a signal', async () => {
  held = new Held(x, 10);
  const { signal } = new AbortController();
  const target = new Float32Array(2);
  const launched = host.launch(double, { range: [2], signal }, { source: x, target });
  structuredClone(target, { transfer: [target.buffer] });
  held.letGo();
  await refused(() => launched, 'ERR_DISPOSED');
});

test('a copy that failed at once says so, although a kernel is pending', async () => {
  held = new Held(x, 10);
  await refused(() => host.copy(x, new Float32Array(3)), 'ERR_SHAPE_MISMATCH');
});

test('an event is complete when all earlier work of its queue is', async () => {
  const [queue, other] = [host.createQueue(), host.createQueue()];
  const before = queue.record();
  held = new Held(x, 10, 60_000, queue);
  const event = queue.record();
  const copied = host.fill(x, 1, { queue: other });
  expect([before.query(), event.query(), queue.query(), other.query()]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(await settles(event.synchronize())).toBe(false);
  await expect(event.synchronize({ signal: AbortSignal.abort('no') })).rejects.toBe('no');
  const late = new AbortController();
  const given = [event, queue, x, host].map((one) => one.synchronize({ signal: late.signal }));
  late.abort('late');
  for (const wait of given) await expect(wait).rejects.toBe('late');
  held.letGo();
  await event.synchronize();
  expect(event.query()).toBe(true);
  await copied;
  expect(other.query()).toBe(true);
});

test('a thread may block until an event is complete, and does the work that waits for it', async () => {
  const [queue, other] = [host.createQueue(), host.createQueue()];
  using y = host.empty([2], 'float32');
  held = new Held(x, 10, 50, queue);
  const later = [
    host.launch(double, { range: [2], queue }, { source: x, target: y }),
    host.fill(x, 0, { queue: other }),
  ];
  const event = queue.record();
  event.synchronizeSync();
  expect(elementsOf(y)).toEqual([22, 24]);
  expect(event.query()).toBe(true);
  other.synchronizeSync();
  expect(elementsOf(x)).toEqual([0, 0]);
  await Promise.all([...later, held.launched]);
});

test('blocking calls the function of a use that waits', async () => {
  const queue = host.createQueue();
  held = new Held(x, 10, 20, queue);
  const used = host.use(queue, { writes: [x] }, () => host.fill(x, elementsOf(x)[0] as number));
  queue.synchronizeSync();
  expect(elementsOf(x)).toEqual([11, 11]);
  await used;
});

test('blocking does not wait for work that waits for itself', async () => {
  const queue = host.createQueue();
  held = new Held(x, 10, 20, queue);
  const kernel = defineKernel({
    name: 'waits for itself',
    parameters: { elements: { write: 'float32' } },
    code: {
      host: {
        javascript() {
          expect(() => queue.synchronizeSync()).toThrow('for itself');
        },
      },
    },
  });
  await host.launch(kernel, { range: [1], queue }, { elements: x });
});

test('a queue waits for an event of another', async () => {
  const [queue, other] = [host.createQueue(), host.createQueue()];
  using y = await host.array([1, 2], { dtype: 'float32' });
  held = new Held(x, 10, 60_000, queue);
  other.wait(queue.record());
  other.wait(host.createQueue().record());
  const z = Float32Array.of(7, 8);
  const copied = host.copy(y, z, { queue: other });
  z.fill(0);
  const used = host.use(other, { reads: [y] }, () => elementsOf(y));
  expect(await settles(copied)).toBe(false);
  expect(await settles(host.toTypedArray(new Float32Array(1), { queue }))).toBe(true);
  held.letGo();
  expect(await used).toEqual([7, 8]);
  expect(await settles(host.fill(y, 1, { queue: other }))).toBe(true);
});
