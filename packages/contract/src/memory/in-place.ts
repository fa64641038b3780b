import type { BackendArray, ErrorCode, TypedArray } from '@array-interface/core';
import { makeDescriptor } from '@array-interface/core';
import type { MemoryKind } from '@array-interface/core/backend';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { collect, onceCollected } from '../support/collect.js';
import { exported } from '../support/exported.js';
import { pendingOrEnded, withFixtures } from '../support/fixtures.js';
import { liveMemory } from '../support/live-memory.js';
import { aborted, allRefused, refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';

const KINDS: readonly MemoryKind[] = ['device', 'shared', 'host', 'pageable'];
const LENGTH = 4096;

/** Typed arrays over an array's own memory. */
export function inPlace(subject: BackendSubject): void {
  const { backend, liveAllocations } = subject;
  const others = KINDS.filter((kind) => !subject.inPlace.includes(kind));

  describe.each(subject.inPlace)('%s memory in place', (memoryKind) => {
    const kept = { memoryKind };
    const full = (value: number) => new Uint8Array(LENGTH).fill(value);
    const test = withFixtures(backend, {
      array: () => backend.empty([LENGTH], 'uint8', kept),
      /** 1, 2 and 3. */
      few: () => backend.array([1, 2, 3], { dtype: 'uint8', memoryKind }),
      /** Memory of the usual kind. */
      usual: () => backend.empty([LENGTH], 'uint8'),
    });

    test('changes are visible on both sides', async () => {
      using array = await backend.array([1, 2, 3, 4], { dtype: 'int32', memoryKind });
      const seen = await array.asTypedArray();
      expect(seen).toEqual(Int32Array.of(1, 2, 3, 4));
      seen[2] = 9;
      expect(await backend.toTypedArray(array)).toEqual(Int32Array.of(1, 2, 9, 4));
      await backend.fill(array, 5);
      expect(await array.asTypedArray()).toBeInstanceOf(Int32Array);
      expect(seen).toEqual(Int32Array.of(5, 5, 5, 5));
    });

    test('views, and calls, share one buffer', async () => {
      using array = await backend.array(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        { dtype: 'float64', memoryKind },
      );
      const whole = await array.asTypedArray();
      const row = await array.slice([1]).asTypedArray();
      expect(row).toEqual(Float64Array.of(4, 5, 6));
      row[0] = 7;
      expect(whole[3]).toBe(7);
      const bytes = await array.view('uint8').asTypedArray();
      const scalar = await array.slice([1, 2]).asTypedArray();
      expect(scalar).toEqual(Float64Array.of(6));
      for (const { buffer } of [row, bytes, scalar, await array.asTypedArray()]) {
        expect(buffer).toBe(whole.buffer);
      }
    });

    test.each([
      ['bool', Uint8Array.of(1, 0)],
      ['int8', Int8Array.of(-1, 2)],
      ['uint16', Uint16Array.of(1, 2)],
      ['int64', BigInt64Array.of(-1n, 2n)],
      ['uint64', BigUint64Array.of(1n, 2n)],
      ['float32', Float32Array.of(1.5, -2)],
      ['complex64', Float32Array.of(1, 2, 3, 4)],
      ['<M8[ns]', BigInt64Array.of(1n, 2n)],
      ['|V3', Uint8Array.of(1, 2, 3, 4, 5, 6)],
      ['|S2', Uint8Array.of(1, 2, 3, 4)],
    ] as const)('%s', async (dtype, values) => {
      using array = backend.empty([2], dtype, kept);
      const seen = await array.asTypedArray();
      expect(seen).toHaveLength(values.length);
      (seen as Uint8Array).set(values as Uint8Array);
      expect(seen).toEqual(values);
      using copied = backend.empty([2], dtype);
      await backend.copy(copied, array);
      const { buffer } = await backend.toTypedArray(copied);
      expect(new Uint8Array(buffer)).toEqual(new Uint8Array(values.buffer));
    });

    test('have the class that the name of their dtype says, and nothing is converted', async () => {
      using array = await backend.array([1, 2], { dtype: 'float64', memoryKind });
      const seen = await array.asTypedArray({ dtype: 'float64' });
      expectTypeOf(seen).toEqualTypeOf<Float64Array>();
      expect(seen).toEqual(Float64Array.of(1, 2));
      using longs = await backend.array([1n], { dtype: 'int64', memoryKind });
      const bigints = await longs.asTypedArray({ dtype: 'int64' });
      expectTypeOf(bigints).toEqualTypeOf<BigInt64Array>();
      expect(bigints).toEqual(BigInt64Array.of(1n));
      const { path, message } = await refused(
        () => array.asTypedArray({ dtype: 'float32' }),
        'ERR_ARGUMENT',
      );
      expect(path).toBe('dtype');
      expect(message).toMatch(/array of (float32|<f4), got one of (float64|<f8); .*toTypedArray/);
      await refused(() => longs.asTypedArray({ dtype: 'uint64' }), 'ERR_ARGUMENT');
      await refused(() => array.asTypedArray({ dtype: 'flaot32' as never }), 'ERR_TYPESTR');
    });

    describe.each(pendingOrEnded(backend))('with the work %s', (_, settle) => {
      test('a fill and a copy on other queues are visible', async ({
        first,
        second,
        array,
        usual,
        work,
      }) => {
        work.push(backend.fill(usual, 3, { queue: first }));
        work.push(backend.fill(array, 1, { queue: second }));
        work.push(backend.copy(array, usual, { queue: first }));
        await settle();
        expect(await array.asTypedArray()).toEqual(full(3));
        work.push(backend.fill(array.slice([[0, 9]]), 4, { queue: second }));
        await settle();
        expect(await array.asTypedArray()).toEqual(full(3).fill(4, 0, 9));
      });

      test('reads are complete, so writing in place changes no copy', async ({
        first: queue,
        array,
        usual,
        work,
      }) => {
        work.push(backend.fill(array, 1, { queue }), backend.copy(usual, array, { queue }));
        await settle();
        (await array.asTypedArray()).fill(9 as never);
        expect(await backend.toTypedArray(usual)).toEqual(full(1));
      });

      test('the owner sees work on a loan, and vice versa', async ({
        first: queue,
        array,
        work,
      }) => {
        using loan = backend.asArray(exported(array).producer());
        work.push(backend.fill(loan, 6, { queue }));
        await settle();
        expect(await array.asTypedArray()).toEqual(full(6));
        work.push(backend.fill(array, 7, { queue }));
        await settle();
        expect(await loan.asTypedArray()).toEqual(full(7));
      });
    });

    test('dispose detaches the buffer, and a disposed array has none', async ({ few }) => {
      const view = few.slice([[1, 3]]);
      const seen = [await few.asTypedArray(), await view.asTypedArray()];
      few[Symbol.dispose]();
      for (const { length, buffer } of seen) expect([length, buffer.byteLength]).toEqual([0, 0]);
      await allRefused(
        'ERR_DISPOSED',
        () => few.asTypedArray(),
        () => view.asTypedArray(),
      );
    });

    test('dispose while it waits for pending work', async ({ first, array, work }) => {
      work.push(backend.fill(array, 1, { queue: first }));
      const asked = array.asTypedArray();
      array[Symbol.dispose]();
      await refused(() => asked, 'ERR_DISPOSED');
    });

    test('a loan has its own buffer, which ends with it', async ({ few }) => {
      const [one, other] = [backend.asArray(few), backend.asArray(few)];
      const ofOwner = await few.asTypedArray();
      const [ofOne, ofOther] = [await one.asTypedArray(), await other.asTypedArray()];
      one[Symbol.dispose]();
      expect([ofOwner.length, ofOne.length, ofOther.length]).toEqual([3, 0, 3]);
      few[Symbol.dispose]();
      expect([ofOwner.length, ofOther.length]).toEqual([0, 3]);
      ofOther[0] = 8;
      expect(await backend.toTypedArray(other)).toEqual(Uint8Array.of(8, 2, 3));
      other[Symbol.dispose]();
      expect(ofOther).toHaveLength(0);
    });

    test('disposed memory is freed once no typed array refers to it', async () => {
      const goesBack = await liveMemory(subject, { garbage: true });
      let seen: TypedArray[] | null = [];
      for (let i = 0; i < 8; i++) {
        using array = backend.empty([LENGTH], 'uint8', kept);
        seen.push(await array.asTypedArray());
      }
      expect(seen.every(({ length }) => length === 0)).toBe(true);
      await collect();
      // Another thread may still use the addresses of the typed arrays.
      expect(liveAllocations()).toBeGreaterThanOrEqual(8);
      seen = null;
      await goesBack();
    });

    test('memory that is not disposed lives as long as a typed array, and no longer', async () => {
      const goesBack = await liveMemory(subject, { garbage: true });
      const make = async (value: number) => (await backend.array(full(value), kept)).asTypedArray();
      let seen: TypedArray[] | null = await Promise.all([make(1), make(2)]);
      await collect();
      using other = backend.empty([LENGTH], 'uint8', kept);
      await backend.fill(other, 9);
      await backend.synchronize();
      expect(seen.map((one) => [one[0], one[LENGTH - 1]])).toEqual([
        [1, 1],
        [2, 2],
      ]);
      seen = null;
      await goesBack(1); // the other stays
    });

    test('a producer lives as long as a typed array over its memory, and no longer', async ({
      few,
    }) => {
      const borrow = async () => {
        const [producer, other] = [exported(few).producer(), exported(few).producer()];
        using ending = backend.asArray(other);
        const seen = await backend.asArray(producer).asTypedArray();
        const ended = await ending.asTypedArray();
        return { producer: new WeakRef(producer), other: new WeakRef(other), seen, ended };
      };
      const { producer, other, ...rest } = await borrow();
      let seen: TypedArray[] | null = [rest.seen, rest.ended];
      for (const name of ['seen', 'ended']) Reflect.deleteProperty(rest, name);
      await collect();
      expect([producer.deref(), other.deref()]).not.toContain(undefined);
      expect(seen.map((one) => [one.length, one[0]])).toEqual([
        [3, 1],
        [0, undefined],
      ]);
      seen = null;
      await onceCollected(() =>
        expect([producer.deref(), other.deref()]).toEqual([undefined, undefined]),
      );
    });

    test('a transferred buffer is replaced by a new one', async ({ few }) => {
      const seen = await few.asTypedArray();
      const buffer = seen.buffer as ArrayBuffer & { transfer?: () => ArrayBuffer };
      const moved = buffer.transfer?.() ?? null; // not in Node 20
      const again = await few.asTypedArray();
      again[1] = 7;
      expect(seen).toHaveLength(moved === null ? 3 : 0);
      expect(new Uint8Array(moved ?? buffer)).toEqual(Uint8Array.of(1, 7, 3));
    });

    test('a buffer cannot be transferred to another thread', async ({ few }) => {
      const seen = await few.asTypedArray();
      const { port1, port2 } = new MessageChannel();
      try {
        port1.postMessage(seen, [seen.buffer as ArrayBuffer]); // Node 20 copies
      } catch (error) {
        expect((error as Error).name).toBe('DataCloneError');
      }
      port2.close();
      expect(seen).toEqual(Uint8Array.of(1, 2, 3));
      expect(structuredClone(seen)).toEqual(seen);
    });

    test('refuses what a typed array cannot represent', async () => {
      using array = backend.empty([4, 4], 'float32', kept);
      using readOnly = backend.asArray(array, { readOnly: true });
      const { pointer, producer } = exported(array);
      const odd = { data: [pointer + 1n, false], shape: [2], strides: null, offset: 0 };
      using unaligned = backend.asArray(producer(odd));
      const at = (byteStrides: number[]) =>
        backend.asArray(
          makeDescriptor({
            ...{ pointer: array.pointer, shape: [2, 2], byteStrides },
            ...{ dtype: 'float32', owner: array.memory },
          }),
        );
      using repeated = at([0, 4]);
      using swapped = backend.asArray(array.view('uint8').descriptor);
      const cases: [BackendArray, ErrorCode, RegExp][] = [
        [readOnly, 'ERR_READ_ONLY', /writable/],
        [array.permuteDims([1, 0]), 'ERR_NOT_ACCESSIBLE', /C order/],
        [array.flip(), 'ERR_NOT_ACCESSIBLE', /C order/],
        [array.slice([null, [0, 2]]), 'ERR_NOT_ACCESSIBLE', /C order/],
        [repeated, 'ERR_NOT_ACCESSIBLE', /C order/],
        [unaligned, 'ERR_NOT_ACCESSIBLE', /aligned to 4 bytes/],
        [array.broadcastTo([2, 4, 4]), 'ERR_READ_ONLY', /writable/],
        [swapped.view('>f4'), 'ERR_BYTE_ORDER', /native byte order/],
        [array.view('bfloat16'), 'ERR_DTYPE_UNSUPPORTED', /typed array/],
      ];
      for (const [one, code, expected] of cases) {
        const { path, message } = await refused(() => one.asTypedArray(), code);
        expect(message).toMatch(expected);
        expect(path).toBe(/ORDER|DTYPE/.test(code) ? 'dtype' : 'array');
        expect(message).toMatch(/; .*(toTypedArray|view it as bytes)/);
      }
    });

    test('an aborted signal ends the wait', async ({ array }) => {
      await aborted(() => array.asTypedArray({ signal: AbortSignal.abort() }));
      const { signal } = new AbortController();
      expect(await array.asTypedArray({ signal })).toHaveLength(LENGTH);
      await refused(() => array.asTypedArray({ signals: signal } as never), 'ERR_ARGUMENT');
    });
  });

  test('an array without elements is an empty typed array, whatever its memory', async () => {
    using array = backend.empty([3, 0], 'float64');
    using borrowed = backend.asArray(exported(array).producer());
    for (const one of [array, borrowed, array.slice([[1, 1]])]) {
      expect(await one.asTypedArray()).toEqual(new Float64Array(0));
    }
  });

  test.each(others)('%s memory does not exist, or cannot be accessed', async (memoryKind) => {
    let array: ReturnType<typeof backend.empty>;
    try {
      array = backend.empty([4], 'float32', { memoryKind });
    } catch (error) {
      return expect((error as { code: string }).code).toBe('ERR_ARGUMENT');
    }
    const { path, message } = await refused(() => array.asTypedArray(), 'ERR_NOT_ACCESSIBLE');
    array[Symbol.dispose]();
    expect(path).toBe('array');
    expect(message).toContain(`${memoryKind} memory of the ${backend.name} backend`);
    expect(message).toContain('toTypedArray()');
  });
}
