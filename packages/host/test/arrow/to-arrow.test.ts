import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { host, liveAllocations } from '@array-interface/host';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { Held } from '../support/c-functions.js';
import { bitsOf, functions, Producer } from './columns.js';

const producer = new Producer();

afterEach(() => {
  producer.end();
  expect(liveAllocations()).toBe(0);
});

/** Room for the two structs. */
function room() {
  const [schema, array] = [producer.empty(72), producer.empty(80)];
  const at = { schema: schema.pointer, array: array.pointer };
  const words = async (of: typeof schema) =>
    new BigInt64Array((await host.toTypedArray(of.array, { dtype: 'uint8' })).buffer);
  return { at, schema: () => words(schema), array: () => words(array) };
}

function release(
  { schema, array }: { schema: bigint; array: bigint },
  onOtherThread = false,
): void {
  functions.releaseSchema(schema, onOtherThread);
  functions.releaseArray(array, onOtherThread);
}

async function bytesAt(address: bigint, length: number): Promise<Uint8Array> {
  const dict = { shape: [length], typestr: '|u1', data: [address, true], version: 3 };
  using bytes = host.asArray({ __array_interface__: dict });
  return await host.toTypedArray(bytes, { dtype: 'uint8' });
}

/** The pointer in a list of them. */
async function entry(list: bigint, index = 0): Promise<bigint> {
  const dict = { shape: [index + 1], typestr: '<i8', data: [list, true], version: 3 };
  using words = host.asArray({ __array_interface__: dict });
  return (await host.toTypedArray(words, { dtype: 'int64' }))[index] as bigint;
}

describe('what is written', () => {
  test('elements of one axis', async () => {
    using array = await host.array([1, 2, 3], { dtype: 'float64' });
    const { at, ...structs } = room();
    host.toArrow(array, at);
    const [length, nulls, offset, buffers, children, list, , dictionary] = await structs.array();
    expect([length, nulls, offset, buffers, children, dictionary]).toEqual([
      3n,
      0n,
      0n,
      2n,
      0n,
      0n,
    ]);
    expect([await entry(list as bigint), await entry(list as bigint, 1)]).toEqual([
      0n,
      array.pointer,
    ]);
    const [format, , metadata, flags, count] = await structs.schema();
    const NULLABLE = 2n; // whether or not there are nulls
    expect([metadata, flags, count]).toEqual([0n, NULLABLE, 0n]);
    expect(new TextDecoder().decode(await bytesAt(format as bigint, 2))).toBe('g\0');
    release(at);
    expect((await structs.array())[8]).toBe(0n);
    expect((await structs.schema())[7]).toBe(0n);
  });

  test('stays when the array ends, until both are released, on any thread', async () => {
    for (const onOtherThread of [false, true]) {
      const { at } = room();
      const array = await host.array(
        [
          [1, 2],
          [3, 4],
        ],
        { dtype: 'int32' },
      );
      const live = liveAllocations();
      host.toArrow(array, at);
      array[Symbol.dispose]();
      expect(liveAllocations()).toBe(live);
      functions.releaseSchema(at.schema, onOtherThread);
      expect(liveAllocations()).toBe(live);
      functions.releaseArray(at.array, onOtherThread);
      expect(liveAllocations()).toBe(live - 1);
    }
  });

  test('the elements of lists stay when a reader moves them out', async () => {
    const { at, ...structs } = room();
    const array = await host.array(
      [
        [1, 2],
        [3, 4],
      ],
      { dtype: 'int32' },
    );
    host.toArrow(array, at);
    array[Symbol.dispose]();
    const children = {
      schema: await entry((await structs.schema())[5] as bigint),
      array: await entry((await structs.array())[6] as bigint),
    };
    using elements = host.fromArrow(children);
    release(at);
    expect(await elements.toNested()).toEqual([1, 2, 3, 4]);
  });

  test('is read back: random shapes and dtypes', async () => {
    const names = [
      'int8',
      'uint16',
      'int64',
      'float16',
      'float32',
      'float64',
      'datetime64[us]',
      'timedelta64[s]',
      '|V3',
    ];
    const drawn = fc.record({
      shape: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }),
      name: fc.constantFrom(...names),
    });
    const property = fc.asyncProperty(drawn, async ({ shape, name }) => {
      const array = host.empty(shape, name as 'int8');
      const { at } = room();
      host.toArrow(array, at);
      using back = host.fromArrow(at);
      expect(back.shape).toEqual(shape);
      expect(back.dtype.typestr).toBe(array.dtype.typestr);
      if (array.size > 0) expect(back.pointer).toBe(array.pointer);
      array[Symbol.dispose]();
    });
    await fc.assert(property, random(100));
  });

  /** An array of int32 at an address with a mask at another. */
  const masked = (
    values: bigint,
    shape: number[],
    bits: bigint,
    ofMask = shape,
    typestr = '|t1',
  ) => {
    const mask = { shape: ofMask, typestr, data: [bits, true], version: 3 };
    const dict = { shape, typestr: '<i4', data: [values, false], version: 3 };
    return host.asArray({
      __array_interface__: { ...dict, mask: { __array_interface__: mask } },
    } as never);
  };

  test.each([
    [[4], [4], '[1 -- 3 4]'],
    [[2, 2], [2, 2], '[[1 --]\n [3 4]]'],
    [[2, 2], [2, 1], '[[1 2]\n [-- --]]'],
    [[4, 1], [4, 1], '[[1]\n [--]\n [3]\n [4]]'],
    [[1, 4], [1, 1], '[[1 2 3 4]]'],
  ])('the mask of shape %j for %j is its validity', async (shape, ofMask, text) => {
    const values = producer.bytes(Int32Array.of(1, 2, 3, 4));
    const bits = producer.bytes(bitsOf([true, false, true, true]));
    using array = masked(values, shape, bits, ofMask);
    const { at } = room();
    host.toArrow(array, at);
    using back = host.fromArrow(at);
    expect(back.descriptor.mask?.pointer).toBe(bits);
    expect(await back.toText()).toBe(text);
  });

  test.each([
    ['one bit for all', [4], [1], '|t1'],
    ['one bit without an axis', [4], [], '|t1'],
    ['a bit for each column', [2, 2], [1, 2], '|t1'],
    ['bytes', [4], [4], '|b1'],
  ])('no mask of %s', async (_, shape, ofMask, typestr) => {
    const values = producer.bytes(Int32Array.of(1, 2, 3, 4));
    using array = masked(values, shape, producer.bytes(Uint8Array.of(1, 1, 1, 1)), ofMask, typestr);
    const { at } = room();
    expect(() => host.toArrow(array, at)).toThrow(/^\[ERR_MASK\] mask: .*fill what it leaves out/);
  });

  test('its bits stay until they are released, and must be there', async () => {
    const { at } = room();
    const values = host.empty([4], 'int32');
    const bits = host.empty([1], 'uint8');
    host.fill(bits, 0b1101);
    const array = masked(values.pointer, [4], bits.pointer);
    host.toArrow(array, at);
    const live = liveAllocations();
    const { pointer } = bits;
    for (const one of [array, values, bits]) one[Symbol.dispose]();
    expect(liveAllocations()).toBe(live);
    using other = host.empty([1], 'uint8'); // not where the bits are
    expect(other.pointer).not.toBe(pointer);
    release(at);
    expect(liveAllocations()).toBe(live - 1);

    using own = host.empty([4], 'int32');
    const gone = host.empty([1], 'uint8');
    using late = masked(own.pointer, [4], gone.pointer);
    gone[Symbol.dispose]();
    expect(() => host.toArrow(late, at)).toThrow(/^\[ERR_POINTER_UNKNOWN\] /);
  });

  test('a slice of a column goes back with its nulls', async () => {
    const flags = Array.from({ length: 20 }, (_, i) => i % 3 !== 0);
    const values = Int32Array.from(flags, (_, i) => i);
    const column = {
      format: 'i',
      length: 9,
      offset: 5,
      nullCount: -1,
      buffers: [bitsOf(flags), values],
    };
    using array = host.fromArrow(producer.column(column));
    const { at } = room();
    host.toArrow(array, at);
    const text = await array.toText();
    expect(text).toBe('[5 -- 7 8 -- 10 11 -- 13]');
    using back = host.fromArrow(at);
    expect(await back.toText()).toBe(text);
    array[Symbol.dispose]();
    back[Symbol.dispose]();
    expect(functions.takeReleased()).toEqual({ schemas: 1, arrays: 1 });
  });

  test('a view is written from where it begins', async () => {
    using array = await host.array(
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      { dtype: 'int16' },
    );
    const { at } = room();
    host.toArrow(array.slice([[1, 3]]), at);
    using back = host.fromArrow(at);
    expect(back.pointer).toBe(array.pointer + 4n);
    expect(await back.toNested()).toEqual([
      [3, 4],
      [5, 6],
    ]);
  });

  test('outlives the thread that wrote it', async () => {
    const { at } = room();
    const program = join(import.meta.dirname, '../programs/to-arrow.mjs');
    const worker = new Worker(program, { workerData: at });
    expect(await once(worker, 'exit')).toEqual([0]);
    const back = host.fromArrow(at);
    expect(await back.toNested()).toEqual([1, 2, 3]);
    back[Symbol.dispose]();
  });
});

describe('what Arrow cannot hold is refused, and nothing is written', () => {
  test.each([
    ['no axis', 'ERR_RANK_MISMATCH', () => host.empty([], 'int8')],
    ['bools', 'ERR_DTYPE_UNSUPPORTED', () => host.empty([2], 'bool')],
    ['complex numbers', 'ERR_DTYPE_UNSUPPORTED', () => host.empty([2], 'complex64')],
    ['records', 'ERR_DTYPE_UNSUPPORTED', () => host.empty([2], [['x', 'f4']])],
    ['texts', 'ERR_DTYPE_UNSUPPORTED', () => host.empty([2], '<U3')],
    ['days', 'ERR_DTYPE_UNSUPPORTED', () => host.empty([2], 'datetime64[D]')],
    ['ten seconds', 'ERR_DTYPE_UNSUPPORTED', () => host.empty([2], 'datetime64[10s]')],
    ['big-endian numbers', 'ERR_BYTE_ORDER', () => host.empty([2], '>i4')],
    ['columns of a matrix', 'ERR_STRIDE_UNIT', () => host.empty([2, 3], 'int8'), 'transposed'],
    ['lists past 2^31', 'ERR_OVERFLOW', () => host.empty([0, 2 ** 31], 'int8')],
    ['lengths past 2^53', 'ERR_OVERFLOW', () => host.empty([2 ** 27, 2 ** 27, 0], 'int8')],
    ['a typed array', 'ERR_NOT_ACCESSIBLE', () => host.asArray(new Int8Array(2))],
  ] as const)('%s', async (_, code, make, how?: string) => {
    const { at, ...structs } = room();
    using array = make();
    const given = how === 'transposed' ? array.transpose() : array;
    expect(() => host.toArrow(given, at)).toThrow(new RegExp(`^\\[${code}\\] `));
    expect(new Set([...(await structs.schema()), ...(await structs.array())])).toEqual(
      new Set([0n]),
    );
  });

  test('what is no array of the host, or has ended, or is worked on', async () => {
    const { at } = room();
    for (const wrong of [null, 5, new Float32Array(2), [1, 2]])
      expect(() => host.toArrow(wrong as never, at)).toThrow(/^\[ERR_TYPE\] array: /);
    const ended = host.empty([1], 'int8');
    ended[Symbol.dispose]();
    expect(() => host.toArrow(ended, at)).toThrow(/^\[ERR_DISPOSED\] /);
    using array = await host.zeros([2], 'float32');
    const short = host.empty([79], 'uint8');
    const wrong = [
      [{ ...at, array: 4096n }, /^\[ERR_POINTER_UNKNOWN\] array: /],
      [{ ...at, array: short.pointer }, /^\[ERR_OUT_OF_BOUNDS\] array: .*80 bytes/],
      [{ ...at, array: at.schema + 71n }, /^\[ERR_ARGUMENT\] array: /],
    ] as const;
    for (const [place, error] of wrong) expect(() => host.toArrow(array, place)).toThrow(error);
    const { pointer } = short;
    short[Symbol.dispose]();
    expect(() => host.toArrow(array, { ...at, array: pointer })).toThrow(
      /^\[ERR_POINTER_UNKNOWN\] /,
    );
    const held = new Held(array, 1);
    try {
      expect(() => host.toArrow(array, at)).toThrow(/^\[ERR_PENDING\] /);
    } finally {
      held.letGo();
      await held.launched;
      await host.synchronize();
    }
  });
});
