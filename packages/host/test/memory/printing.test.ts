import { once } from 'node:events';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { defineKernel } from '@array-interface/core/kernel';
import { type HostArray, type HostQueue, host } from '@array-interface/host';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { functions, Held } from '../support/c-functions.js';

const SHOWN = 'HostArray([1., 2., 3.], dtype=float32)';
const values = () => host.array([1, 2, 3], { dtype: 'float32' });
const lineOf = (array: HostArray) => `${array}; for its elements, await toText()`;

const built = join(import.meta.dirname, '../../dist/index.js');
/** Borrows what it is told of, says so, and ends it when it is told again. */
const BORROWER = `
  const { parentPort, workerData } = require('node:worker_threads');
  import('${built}').then(({ host }) => {
    const { ticket, dict } = workerData;
    const array = ticket ? host.openShared(ticket) : host.asArray({ __array_interface__: dict });
    parentPort.postMessage('borrowed');
    parentPort.once('message', () => {
      array.dispose();
      parentPort.postMessage('ended');
    });
  });`;

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

async function borrower(workerData: object): Promise<Worker> {
  const worker = new Worker(BORROWER, { eval: true, workerData });
  workers.push(worker);
  await once(worker, 'message');
  return worker;
}

test('memory that another thread opened is not shown, until that thread is done', async () => {
  using array = await values();
  expect(inspect(array)).toBe(SHOWN);
  using ticket = host.share(array);
  const worker = await borrower({ ticket: { ...ticket } });
  for (const one of [array, array.flip()]) expect(inspect(one)).toBe(lineOf(one));
  worker.postMessage('end');
  await once(worker, 'message');
  expect(inspect(array)).toBe(SHOWN);
});

test('nor is memory that another thread borrowed by its address', async () => {
  using array = await values();
  const { version, shape, typestr, data } = array.__array_interface__;
  const worker = await borrower({ dict: { version, shape, typestr, data } });
  expect(inspect(array)).toBe(lineOf(array));
  await worker.terminate();
  await vi.waitFor(() => expect(inspect(array)).toBe(SHOWN), 60_000);
});

test('memory of others, of other processes and of all threads is never shown', async () => {
  using array = await values();
  const own = array.__array_interface__;
  const typed = Float32Array.of(1, 2, 3);
  using overJavaScript = host.asArray(typed);
  expect(inspect(overJavaScript)).toBe(SHOWN);
  const foreign = {
    __array_interface__: { ...own, data: [overJavaScript.pointer, false], keep: typed },
  };
  using borrowed = host.asArray(foreign as never);
  using shareable = host.empty([3], 'float32', { shareable: true });
  using shared = host.asArray(new Float32Array(new SharedArrayBuffer(12)));
  using second = host.asArray(array);
  for (const one of [borrowed, shareable, shared, second, array]) {
    expect(inspect(one)).toBe(lineOf(one));
  }
  second.dispose();
  expect(inspect(array)).toBe(SHOWN);
  structuredClone(typed.buffer, { transfer: [typed.buffer] });
  expect(inspect(overJavaScript)).toBe(String(overJavaScript));
});

test('a masked array is one line, and its text has -- for what the mask leaves out', async () => {
  const mask = host.asArray(Uint8Array.of(1, 0, 2)).view('bool');
  const data = host.asArray(Float32Array.of(0.5, 2, 3));
  const dict = {
    ...data.__array_interface__,
    mask: { __array_interface__: mask.__array_interface__ },
  };
  using masked = host.asArray({ __array_interface__: dict } as never);
  expect(inspect(masked)).toBe(lineOf(masked));
  expect(inspect(masked)).toContain('masked');
  expect(await masked.toText()).toBe('[0.5 -- 3.0]');
  expect(await masked.flip().toText()).toBe('[3.0 -- 0.5]');
  expect(await masked.expandDims(0).broadcastTo([2, 3]).toText()).toBe(
    '[[0.5 -- 3.0]\n [0.5 -- 3.0]]',
  );
  expect(await masked.slice([1]).toText()).toBe('--');
  expect(await masked.toText({ threshold: 2, edgeItems: 1 })).toBe('[0.5 ... 3.0]');
});

test('the text of an array whose mask repeats, is of numbers, or is gone', async () => {
  const data = host.asArray(Uint8Array.of(1, 2, 3, 4, 5, 6)).reshape([2, 3]);
  const column = host.asArray(Float64Array.of(0, NaN)).reshape([2, 1]);
  const dict = (mask: object) => ({
    __array_interface__: { ...data.__array_interface__, mask },
  });
  using masked = host.asArray(dict(column) as never);
  expect(await masked.toText()).toBe('[[-- -- --]\n [4 5 6]]');
  const ended = await host.array([1, 0, 1], { dtype: 'bool' });
  using stale = host.asArray(dict(ended) as never);
  ended.dispose();
  await expect(stale.toText()).rejects.toMatchObject({ code: 'ERR_POINTER_UNKNOWN' });
});

test('nothing is shown of a buffer while a function works on another array over it', async () => {
  const typed = Float32Array.of(1, 2, 3);
  using one = host.asArray(typed);
  using other = host.asArray(typed.subarray(1));
  using queue = host.createQueue();
  await host.use(queue, { writes: [other] }, async () => {
    expect(inspect(one)).toBe(lineOf(one));
    await null;
    expect(inspect(one)).toBe(lineOf(one));
  });
  expect(inspect(one)).toBe(SHOWN);
});

test('nothing is shown of what a kernel writes, in the kernel and before it', async () => {
  using array = await values();
  const seen: string[] = [];
  const javascript = () => void seen.push(inspect(array));
  const parameters = { at: { write: 'float32' } } as const;
  const kernel = defineKernel({ name: 'seen', parameters, code: { host: { javascript } } });
  await host.launch(kernel, { range: [1] }, { at: array });
  expect(seen).toEqual([lineOf(array)]);
  expect(inspect(array)).toBe(SHOWN);
});

/** A kernel of C that only reads, and one of JavaScript. */
const readers = {
  c: defineKernel({
    name: 'readLater',
    parameters: {
      elements: { read: 'float32' },
      amount: 'float32',
      gate: { read: 'int32' },
      milliseconds: 'uint32',
    },
    code: { host: { address: functions.addLater } },
  }),
  javascript: defineKernel({
    name: 'read',
    parameters: { elements: { read: 'float32' } },
    code: { host: { javascript() {} } },
  }),
};

type Begin = (array: HostArray, other: HostArray, queue: HostQueue) => Promise<unknown>;

/** What reads memory of JavaScript before it returns, whenever it ends. */
const READS_AT_ONCE = ['a copy from it', 'a conversion of it'];

/** Work that waits, each with what it leaves. */
const PENDING: readonly (readonly [name: string, begin: Begin, after: string])[] = [
  ['a copy from it', (array, other, queue) => host.copy(other, array, { queue }), SHOWN],
  [
    'a conversion of it',
    (array, _, queue) => host.copy(new Float64Array(3), array, { queue }),
    SHOWN,
  ],
  ['a use that reads', (array, _, queue) => host.use(queue, { reads: [array] }, () => {}), SHOWN],
  [
    'a kernel of JavaScript that reads',
    (elements, _, queue) => host.launch(readers.javascript, { range: [3], queue }, { elements }),
    SHOWN,
  ],
  [
    'a fill',
    (array, _, queue) => host.fill(array, 4, { queue }),
    SHOWN.replace('1., 2., 3.', '4., 4., 4.'),
  ],
  [
    'a copy to it',
    (array, other, queue) => host.copy(array, other.flip(), { queue }),
    SHOWN.replace('1., 2., 3.', '3., 2., 1.'),
  ],
];

describe.each([
  [
    'it',
    () => {
      const typed = Float32Array.of(1, 2, 3);
      const array = host.asArray(typed);
      return [array, array] as const;
    },
  ],
  [
    'another array over its buffer',
    () => {
      const typed = Float32Array.of(1, 2, 3);
      return [host.asArray(typed), host.asArray(typed.subarray(0))] as const;
    },
  ],
  [
    'it, which has memory of its own',
    async () => {
      const array = await values();
      return [array, array] as const;
    },
  ],
])('nothing is shown of an array while work waits for %s', (_, make) => {
  test.each(PENDING)('%s', async (name, begin, after) => {
    const [array, worked] = await make();
    using other = await values();
    using gate = await values();
    using running = host.createQueue();
    using queue = host.createQueue();
    const held = new Held(gate, 1, 60_000, running);
    onTestFinished(() => {
      held.letGo();
      for (const one of new Set([array, worked])) one.dispose();
    });
    queue.wait(running.record());
    const begun = begin(worked, other, queue);
    const isRead = READS_AT_ONCE.includes(name) && worked.memory.buffer !== null;
    const hidden = isRead ? [] : [array, array.flip(), array.slice([1])];
    for (const one of hidden) expect(inspect(one)).toBe(lineOf(one));
    if (isRead) expect(inspect(array)).toBe(SHOWN);

    expect(inspect(gate)).toBe(lineOf(gate));
    held.letGo();
    await Promise.all([begun, held.launched]);
    expect(inspect(array)).toBe(after);
  });
});

test('nothing is shown of an array that a function of C only reads, on another thread', async () => {
  using elements = await values();
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const letGo = () => void Atomics.store(gate, 0, 1);
  onTestFinished(letGo);
  const parameters = { elements, amount: 0, gate, milliseconds: 60_000 };
  const launched = host.launch(readers.c, { range: [3] }, parameters);
  expect(inspect(elements)).toBe(lineOf(elements));
  letGo();
  await launched;
  expect(inspect(elements)).toBe(SHOWN);
});
