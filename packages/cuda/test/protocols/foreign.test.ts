import { cuda, type Stream } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { isSimulated } from '../support/driver-under-test.js';
import { hold } from '../support/hold.js';
import { probe } from '../support/probe.js';
import { foreignProducer } from '../support/producer.js';
import { refused } from '../support/refused.js';

describe('__cuda_stream__', () => {
  test('of ours, and of objects that have it as value or method', async () => {
    using stream = cuda.createStream();
    expect(stream.__cuda_stream__()).toEqual([0, stream.handle]);
    const named = [
      { __cuda_stream__: [0, stream.handle] as const },
      { __cuda_stream__: [0, Number(stream.handle)] as const },
      { __cuda_stream__: () => [0, stream.handle] as const },
      stream,
    ];
    for (const object of named) expect(cuda.stream(object).handle).toBe(stream.handle);
    using array = cuda.empty([4], 'uint8');
    using loan = cuda.asArray(foreignProducer(array, null), { producerStream: named[2] as never });
    expect((loan.memory.homeQueue as Stream).handle).toBe(stream.handle);
  });

  test('refused if it is wrong', async () => {
    const object = (pair: unknown) => ({ __cuda_stream__: pair }) as never;
    await refused(() => cuda.stream(object([1, 5n])), 'ERR_VERSION');
    await refused(() => cuda.stream(object([0, 0])), 'ERR_STREAM');
    await refused(() => cuda.stream(object([0, 'x'])), 'ERR_TYPE');
    await refused(() => cuda.stream(object([0])), 'ERR_TYPE');
    await refused(() => cuda.stream({} as never), 'ERR_TYPE');
    await refused(() => cuda.stream(null as never), 'ERR_TYPE');
  });
});

describe('streams that end before their users', () => {
  test('one of ours, named by its handle, lives on', async () => {
    const stream = cuda.createStream();
    using array = cuda.empty([1000], 'uint8');
    using loan = cuda.asArray(foreignProducer(array, stream));
    stream[Symbol.dispose]();
    await cuda.fill(loan, 4);
    expect(await cuda.toTypedArray(loan)).toEqual(new Uint8Array(1000).fill(4));
  });

  test("another library's: an error, no crash, and the loan still ends", async () => {
    probe.makeCurrent(0);
    const handle = probe.createStream();
    using array = cuda.empty([16], 'uint8');
    const loan = cuda.asArray(foreignProducer(array, cuda.stream(handle)));
    probe.destroyStream(handle);
    await refused(() => cuda.fill(loan, 4), 'ERR_CUDA');
    loan[Symbol.dispose]();
    await cuda.fill(array, 5);
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(16).fill(5));
  });
});

describe('contexts other than the primary one', () => {
  test('their memory is refused, with what to do; inspecting names the context', async () => {
    const { context, pointer, stream } = probe.createContext(0);
    expect(cuda.inspectPointer(pointer)).toMatchObject({ memoryKind: 'device', context });
    const dict = { shape: [4], typestr: '|u1', data: [pointer, false], version: 3, stream: null };
    const producer = { __cuda_array_interface__: dict };
    const error = await refused(() => cuda.asArray(producer), 'ERR_NOT_ACCESSIBLE');
    expect(error.message).toContain('primary context');

    // Their streams order our work, and do none of it.
    using array = cuda.empty([4], 'uint8');
    const foreign = cuda.stream(stream);
    expect(foreign.isPrimary).toBe(false);
    using loan = cuda.asArray(foreignProducer(array, foreign));
    await cuda.fill(loan, 6);
    expect(await cuda.toTypedArray(loan)).toEqual(new Uint8Array(4).fill(6));
    await refused(() => cuda.fill(array, 1, { queue: foreign }), 'ERR_NOT_ACCESSIBLE');
    foreign[Symbol.dispose]();
    loan[Symbol.dispose]();
    await cuda.synchronize();
    probe.destroyContext(context);
  });
});

describe("another library's context, once our loan has ended", () => {
  test.each(['pending', 'ended'])('may be destroyed with our work %s', async (state) => {
    const { context, stream } = probe.createContext(0);
    const [source, target] = [
      await cuda.array(new Uint8Array(4).fill(3)),
      cuda.empty([4], 'uint8'),
    ];
    const queue = cuda.createStream();
    const foreign = cuda.stream(stream);
    const loan = cuda.asArray(foreignProducer(source, foreign));
    const held = hold(queue);
    await cuda.copy(target, loan, { queue });
    target.recordUse(foreign);
    const point = foreign.record();
    if (state === 'ended') {
      held[Symbol.dispose]();
      await cuda.synchronize();
    }
    loan[Symbol.dispose]();
    foreign[Symbol.dispose]();
    held[Symbol.dispose]();
    probe.destroyContext(context);
    await cuda.synchronize();
    expect([...(await cuda.toTypedArray(target))]).toEqual([3, 3, 3, 3]);
    expect(point.query()).toBe(true);
    await cuda.synchronize();
    for (const one of [source, target, queue]) one[Symbol.dispose]();
  });
});

describe('what other libraries enqueue', () => {
  test('is ordered by recordUse, also before the memory is freed', async () => {
    using stream = cuda.createStream();
    using other = cuda.createStream();
    const array = cuda.empty([1000], 'uint8');
    const { __cuda_array_interface__: dict } = array;
    const writer = cuda.asArray({ __cuda_array_interface__: dict }, { sync: 'none' });
    void cuda.fill(writer, 8, { queue: stream }); // nobody knows of it
    array.recordUse(stream.handle);
    expect(await cuda.toTypedArray(array, { queue: other })).toEqual(new Uint8Array(1000).fill(8));
    writer[Symbol.dispose]();
    array.recordUse(stream);
    array[Symbol.dispose]();
    await refused(() => array.recordUse(stream), 'ERR_DISPOSED');
  });
});

describe('exportStream', () => {
  test.runIf(isSimulated)(
    'wait names a stream, block waits and names none, none leaves it',
    async () => {
      using queue = cuda.createStream();
      for (const [exportStream, named, done] of [
        ['wait', queue.handle, false],
        ['block', null, true],
        ['none', null, false],
      ] as const) {
        using array = cuda.empty([1 << 20], 'uint8', { queue, exportStream });
        using _held = exportStream === 'block' ? null : hold(queue);
        void cuda.fill(array, 1);
        expect(array.__cuda_array_interface__.stream).toBe(named);
        if (!done) continue;
        expect(queue.query()).toBe(true);
      }
      await refused(() => cuda.empty([1], 'uint8', { exportStream: 'x' as never }), 'ERR_ARGUMENT');
    },
  );
});
