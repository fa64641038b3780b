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
    expect([(await entry(format as bigint)) & 0xffffn, metadata, flags, count]).toEqual([
      BigInt('g'.charCodeAt(0)),
      0n,
      0n,
      0n,
    ]);
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

  test('masks of bits are its validity', async () => {
    const values = producer.bytes(Int32Array.of(1, 2, 3, 4));
    const bits = producer.bytes(bitsOf([true, false, true, true]));
    const dict = (shape: number[]) => ({
      shape,
      typestr: '<i4',
      data: [values, false],
      version: 3,
      mask: { __array_interface__: { shape, typestr: '|t1', data: [bits, true], version: 3 } },
    });
    for (const [shape, text] of [
      [[4], '[1 -- 3 4]'],
      [[2, 2], '[[1 --]\n [3 4]]'],
    ] as const) {
      using array = host.asArray({ __array_interface__: dict([...shape]) });
      const { at } = room();
      host.toArrow(array, at);
      using back = host.fromArrow(at);
      expect(back.descriptor.mask?.pointer).toBe(bits);
      expect(await back.toText()).toBe(text);
    }
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
    expect(() => host.toArrow(array, { ...at, array: 4096n })).toThrow(/^\[ERR_POINTER_UNKNOWN\] /);
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
