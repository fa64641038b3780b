import { arrayCapsule } from '@array-interface/core/backend';
import { type CudaArray, cuda, type Stream } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';
import { twice } from '../support/twice.mjs';

// What cannot wait while a kernel is built, and what has another name; the contract has the rest.

const ASKED = /^expected work that is already enqueued.*await the launch/;

/** Asks for a first launch, and for more before its kernel is built. */
async function whileBuilt(
  work: (at: CudaArray & Disposable, stream: Stream) => Promise<void> | void,
  kernel = twice(),
): Promise<unknown> {
  using stream = cuda.createStream();
  using at = await cuda.array(Float32Array.of(1));
  const launched = cuda.launch(
    kernel,
    { range: [1], group: [1], queue: stream },
    { at, n: 1, room: 1 },
  );
  launched.catch(() => {});
  await work(at, stream);
  await Promise.allSettled([launched]);
  return cuda.toTypedArray(at);
}

describe.each<[string, (at: CudaArray, stream: Stream) => unknown]>([
  ['a dict', (at) => at.__cuda_array_interface__],
  ['the dict of a view', (at) => at.slice([0]).__cuda_array_interface__],
  ['a capsule', (at) => at[arrayCapsule]()],
  [
    'a ticket',
    (at) => {
      using ticket = cuda.share(at); // nobody opens it, so it would hold the memory
      return ticket;
    },
  ],
  ['an event', (_, stream) => stream.record()],
  ['a blocking wait', (_, stream) => stream.synchronizeSync()],
  ['an event of the stream by its handle', (_, stream) => cuda.stream(stream.handle).record()],
  [
    'the dict of a loan',
    (at) => {
      using loan = cuda.asArray(at);
      return loan.__cuda_array_interface__;
    },
  ],
])('%s', (_, ask) => {
  const given = async (at: CudaArray, stream: Stream) => {
    const value = ask(at, stream);
    expect(value === undefined || value !== null).toBe(true);
  };

  test.each<[string, (at: CudaArray, stream: Stream) => Promise<void>]>([
    ['the array', (at) => at.synchronize()],
    ['the stream', (_, stream) => stream.synchronize()],
    ['the backend', () => cuda.synchronize()],
    ['the kernels', () => cuda.whenKernelsReady()],
    ['a copy', async (at) => void (await cuda.toTypedArray(at))],
  ])('is refused, and succeeds after %s is awaited', async (_, wait) => {
    const result = await whileBuilt(async (at, stream) => {
      expect(stream.query()).toBe(false);
      const { reason } = await refused(() => ask(at, stream), 'ERR_PENDING');
      expect(reason).toMatch(ASKED);
      await wait(at, stream);
      await given(at, stream);
    });
    expect(result).toEqual(Float32Array.of(2));
  });

  test('succeeds if the build has failed', async () => {
    const kernel = twice();
    const ptx = (kernel.code.cuda as { ptx: string }).ptx.replace('entry twice', 'entry thrice');
    const broken = { ...kernel, code: { cuda: { ptx } } } as typeof kernel;
    const result = await whileBuilt(async (at, stream) => {
      await refused(() => ask(at, stream), 'ERR_PENDING');
      await at.synchronize();
      await given(at, stream);
    }, broken);
    expect(result).toEqual(Float32Array.of(1));
  });
});

test('arrays and streams that the launch does not touch are exported as always', async () => {
  using other = await cuda.array(Float32Array.of(7));
  using queue = cuda.createStream();
  const result = await whileBuilt(() => {
    void cuda.fill(other, 8); // on the default stream
    expect(other.__cuda_array_interface__.stream).toBeTruthy();
    queue.wait(queue.record());
    queue.synchronizeSync();
  });
  expect(result).toEqual(Float32Array.of(2));
});

test('a stream given by its handle orders all work', async () => {
  using other = await cuda.array(Float32Array.of(7));
  const order: string[] = [];
  const result = await whileBuilt(async (at, stream) => {
    using same = cuda.stream(stream.handle);
    const uses = [
      cuda.use(same, { writes: [other] }, () => void order.push('use')),
      cuda.launch(twice(), { range: [1], group: [1], queue: same }, { at: other, n: 1, room: 1 }),
      cuda.use(stream, { writes: [at] }, () => void order.push('after')),
    ];
    order.push('asked');
    await Promise.all(uses);
    expect(await cuda.toTypedArray(other)).toEqual(Float32Array.of(14));
  });
  expect([result, order]).toEqual([Float32Array.of(2), ['asked', 'use', 'after']]);
});

test('a stream and arrays may be disposed before the launch is enqueued', async () => {
  const stream = cuda.createStream();
  const at = await cuda.array(Float32Array.of(1), { queue: stream });
  using copied = cuda.empty([1], 'float32');
  const launched = cuda.launch(twice(), { range: [1], group: [1] }, { at, n: 1, room: 1 });
  void cuda.copy(copied, at, { queue: stream });
  at[Symbol.dispose]();
  stream[Symbol.dispose]();
  expect(at.disposed).toBe(true);
  expect(await cuda.toTypedArray(copied)).toEqual(Float32Array.of(2));
  await launched;
});

test('a dict read before names the same memory', async () => {
  using copied = cuda.empty([1], 'float32');
  using at = await cuda.array(Float32Array.of(1));
  const producer = { __cuda_array_interface__: at.__cuda_array_interface__ };
  const launched = cuda.launch(twice(), { range: [1], group: [1] }, { at, n: 1, room: 1 });
  void cuda.copy(copied, producer);
  expect(await cuda.toTypedArray(copied)).toEqual(Float32Array.of(2));
  await launched;
});

test('a thousand copies after a launch keep their order', async () => {
  using one = await cuda.array(Float32Array.of(0));
  const result = await whileBuilt((at) => {
    for (let times = 0; times < 1000; times++) {
      void cuda.copy(one, at);
      void cuda.copy(at, one);
    }
  });
  expect(result).toEqual(Float32Array.of(2));
});
