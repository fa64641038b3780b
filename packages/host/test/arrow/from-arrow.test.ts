import { host, liveAllocations } from '@array-interface/host';
import { random } from '@array-interface/random';
import { collectUntil } from '@array-interface/support';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { bitsOf, type Column, functions, Producer } from './columns.js';

const producer = new Producer();

afterEach(() => {
  producer.end();
  expect(functions.takeReleased()).toEqual({ schemas: 0, arrays: 0 });
  expect(liveAllocations()).toBe(0);
});

/** Reads a column, and checks that its structs are released once, when the array ends. */
async function read<T>(column: Column, use: (array: ReturnType<typeof host.fromArrow>) => T) {
  const structs = producer.column(column);
  const array = host.fromArrow(structs);
  const result = await use(array);
  expect(functions.takeReleased()).toEqual({ schemas: 0, arrays: 0 });
  expect(() => host.fromArrow(structs)).toThrow(/^\[ERR_DISPOSED\] .*export the column again/);
  array[Symbol.dispose]();
  const count = countOf(column);
  expect(functions.takeReleased()).toEqual({ schemas: count, arrays: count });
  return result;
}

/** Checks that nothing was taken over, and releases it as its producer would. */
function stillThere({ schema, array }: { schema: bigint; array: bigint }, count: number): void {
  expect(functions.takeReleased()).toEqual({ schemas: 0, arrays: 0 });
  functions.releaseSchema(schema);
  functions.releaseArray(array);
  expect(functions.takeReleased()).toEqual({ schemas: count, arrays: count });
}

const countOf = (column: Column): number =>
  1 + (column.children ?? []).reduce((sum, child) => sum + countOf(child), 0);

describe('elements', () => {
  test.each([
    ['c', 'int8', Int8Array.of(-1, 2)],
    ['C', 'uint8', Uint8Array.of(1, 255)],
    ['s', 'int16', Int16Array.of(-1, 2)],
    ['S', 'uint16', Uint16Array.of(1, 65535)],
    ['i', 'int32', Int32Array.of(-1, 2)],
    ['I', 'uint32', Uint32Array.of(1, 2 ** 32 - 1)],
    ['l', 'int64', BigInt64Array.of(-1n, 2n)],
    ['L', 'uint64', BigUint64Array.of(1n, 2n ** 64n - 1n)],
    ['f', 'float32', Float32Array.of(0.5, -2)],
    ['g', 'float64', Float64Array.of(0.1, Number.NaN)],
  ] as const)('of format %s are %s', async (format, name, values) => {
    const column = { format, length: 2, buffers: [null, values] };
    await read(column, async (array) => {
      expect(array.dtype.name).toBe(name);
      expect(array.readOnly).toBe(true);
      expect(array.descriptor.mask).toBe(null);
      expect(await host.toTypedArray(array)).toEqual(values);
    });
  });

  test.each([
    ['e', '<f2', 2],
    ['w:5', '|V5', 5],
    ['tdm', '<M8[ms]', 8],
    ['tss:', '<M8[s]', 8],
    ['tsm:UTC', '<M8[ms]', 8],
    ['tsu:Europe/Vienna', '<M8[us]', 8],
    ['tsn:', '<M8[ns]', 8],
    ['tDs', '<m8[s]', 8],
    ['tDm', '<m8[ms]', 8],
    ['tDu', '<m8[us]', 8],
    ['tDn', '<m8[ns]', 8],
  ])('of format %s are %s', async (format, typestr, itemsize) => {
    const buffers = [null, new Uint8Array(3 * itemsize)];
    await read({ format, length: 2, offset: 1, buffers }, (array) => {
      expect(array.dtype.typestr).toBe(typestr);
      expect([array.shape, array.byteStrides]).toEqual([[2], [itemsize]]);
    });
  });

  test('stay where they are', async () => {
    const values = producer.bytes(Float64Array.of(1, 2, 3, 4));
    await read({ format: 'g', length: 2, offset: 1, buffers: [0n, values] }, async (array) => {
      expect(array.pointer).toBe(values + 8n);
      expect(await array.toNested()).toEqual([2, 3]);
    });
  });

  test('may be none', async () => {
    await read({ format: 'i', length: 0, buffers: [null, null] }, (array) => {
      expect(array.shape).toEqual([0]);
    });
  });

  test('of arrow.bool8 are bools', async () => {
    const metadata = { 'ARROW:extension:name': 'arrow.bool8', 'ARROW:extension:metadata': '' };
    const column = { format: 'c', length: 3, buffers: [null, Int8Array.of(0, 1, -1)], metadata };
    await read(column, async (array) => {
      expect(array.dtype.name).toBe('bool');
      expect(await array.toNested()).toEqual([false, true, true]);
    });
  });

  const FORMATS: readonly (readonly [string, number])[] = [
    ...([['c', 1], ['C', 1], ['s', 2], ['S', 2], ['i', 4], ['I', 4], ['l', 8], ['L', 8]] as const), // biome-ignore format: pairs
    ...([['e', 2], ['f', 4], ['g', 8], ['w:1', 1], ['w:5', 5], ['tsn:', 8], ['tDs', 8]] as const), // biome-ignore format: pairs
  ];
  const EXTENSIONS: readonly Readonly<Record<string, string>>[] = [
    { 'ARROW:extension:name': 'arrow.bool8', 'ARROW:extension:metadata': '' },
    {
      'ARROW:extension:name': 'arrow.fixed_shape_tensor',
      'ARROW:extension:metadata': '{"shape":[]}',
    },
    { 'ARROW:extension:name': 'arrow.uuid' },
    { 'ARROW:extension:name': 'somebody.else', 'ARROW:extension:metadata': '{}' },
    { other: 'arrow.bool8' },
  ];

  test.each(FORMATS)(
    'of format %s are the same with an extension that is not theirs',
    async (format, itemsize) => {
      const bare = { format, length: 2, buffers: [null, new Uint8Array(2 * itemsize)] };
      const typestr = await read(bare, (array) => array.dtype.typestr);
      for (const metadata of EXTENSIONS) {
        const isTheirs = format === 'c' && metadata['ARROW:extension:name'] === 'arrow.bool8';
        await read({ ...bare, metadata }, (array) => {
          const given = JSON.stringify(metadata);
          expect(array.dtype.typestr, given).toBe(isTheirs ? '|b1' : typestr);
          expect(array.shape, given).toEqual([2]);
        });
      }
    },
  );

  test('are released when nobody holds their array any more', async () => {
    host.fromArrow(producer.column({ format: 'i', length: 1, buffers: [null, Int32Array.of(1)] }));
    let arrays = 0;
    const isReleased = () => {
      arrays += functions.takeReleased().arrays;
      return arrays > 0;
    };
    await collectUntil(isReleased, 6000, 10);
    expect(arrays).toBe(1);
  });

  test('outlive their array in whatever borrows them, with their nulls', async () => {
    const buffers = [Uint8Array.of(0b101), Int32Array.of(1, 2, 3)];
    const column = { format: 'i', length: 3, nullCount: 1, buffers };
    const array = host.fromArrow(producer.column(column));
    const other = host.asArray(array);
    array[Symbol.dispose]();
    expect(functions.takeReleased()).toEqual({ schemas: 0, arrays: 0 });
    expect(await other.toText()).toBe('[1 -- 3]');
    other[Symbol.dispose]();
    expect(functions.takeReleased()).toEqual({ schemas: 1, arrays: 1 });
  });
});

describe('lists of a fixed length', () => {
  const leaf = (length: number): Column => ({
    format: 'i',
    length,
    buffers: [null, Int32Array.from({ length }, (_, i) => i)],
  });

  test.each([0, 1, 2, 5])(
    'from element %i on need so many of each level, and no fewer',
    async (offset) => {
      /** Two lists of three lists of two, from an element on at each level, with some too few. */
      const lists = (few: readonly number[]): Column => {
        const need = [offset + 2, 3 * (offset + 2), 2 * (3 * (offset + 2) + offset)];
        const [most, inner, last] = need.map((count, level) => count - (few[level] ?? 0)) as [
          number,
          number,
          number,
        ];
        const middle = {
          format: '+w:2',
          offset,
          length: inner,
          buffers: [null],
          children: [leaf(last)],
        };
        return {
          format: '+w:3',
          offset,
          length: most - offset,
          buffers: [null],
          children: [middle],
        };
      };
      await read(lists([]), async (array) => {
        expect(array.shape).toEqual([2, 3, 2]);
        const first = 2 * (3 * offset + offset);
        expect(await array.toNested()).toEqual(
          [0, 6].map((list) => [0, 2, 4].map((at) => [first + list + at, first + list + at + 1])),
        );
      });
      for (const [few, path] of [
        [[0, 1], 'array.children[0].length'],
        [[0, 0, 1], 'array.children[0].children[0].length'],
      ] as const) {
        const structs = producer.column(lists(few));
        expect(() => host.fromArrow(structs)).toThrow(
          expect.objectContaining({ code: 'ERR_OUT_OF_BOUNDS', path }),
        );
        stillThere(structs, 3);
      }
    },
  );

  test('are axes', async () => {
    const children = [{ format: '+w:2', length: 6, buffers: [null], children: [leaf(12)] }];
    await read({ format: '+w:3', length: 2, buffers: [null], children }, async (array) => {
      expect(array.shape).toEqual([2, 3, 2]);
      expect(await array.toNested()).toEqual([
        [
          [0, 1],
          [2, 3],
          [4, 5],
        ],
        [
          [6, 7],
          [8, 9],
          [10, 11],
        ],
      ]);
    });
  });

  test('have the axes of tensors, in their order', async () => {
    const tensor = (shape: number[], permutation?: number[]) => ({
      'ARROW:extension:name': 'arrow.fixed_shape_tensor',
      'ARROW:extension:metadata': JSON.stringify({ shape, permutation, dim_names: ['a', 'b'] }),
    });
    const column = { format: '+w:6', length: 2, buffers: [null], children: [leaf(12)] };
    await read({ ...column, metadata: tensor([2, 3]) }, async (array) => {
      expect(await array.toNested()).toEqual([
        [
          [0, 1, 2],
          [3, 4, 5],
        ],
        [
          [6, 7, 8],
          [9, 10, 11],
        ],
      ]);
    });
    await read({ ...column, metadata: tensor([2, 3], [1, 0]) }, async (array) => {
      expect(await array.slice([0]).toNested()).toEqual([
        [0, 3],
        [1, 4],
        [2, 5],
      ]);
    });
    const gaps = { ...column, nullCount: 1, buffers: [bitsOf([true, false])] };
    await read({ ...gaps, metadata: tensor([2, 3], [1, 0]) }, async (array) => {
      expect(await array.toText()).toBe(
        '[[[0 3]\n  [1 4]\n  [2 5]]\n\n [[-- --]\n  [-- --]\n  [-- --]]]',
      );
    });
    const bits = bitsOf(Array.from({ length: 12 }, (_, i) => i !== 4));
    const withGap = { ...leaf(12), nullCount: 1, buffers: [bits, ...leaf(12).buffers.slice(1)] };
    const inside = { ...column, children: [withGap] };
    await read({ ...inside, metadata: tensor([2, 3]) }, async (array) => {
      expect(await array.slice([0]).toNested().catch(String)).toContain('ERR_MASK');
    });
    const permuted = producer.column({ ...inside, metadata: tensor([2, 3], [1, 0]) });
    expect(() => host.fromArrow(permuted)).toThrow(/^\[ERR_MASK\] .*fill some of the nulls/);
    stillThere(permuted, 2);
    for (const wrong of [tensor([2, 4]), tensor([2, 3], [0, 0]), tensor([2, 3], [1, 2])]) {
      const structs = producer.column({ ...column, metadata: wrong });
      expect(() => host.fromArrow(structs)).toThrow(/^\[ERR_TYPE\] schema/);
      stillThere(structs, 2);
    }
  });

  test('may be tensors without axes, and bools', async () => {
    const name = (one: string, rest: string) => ({
      'ARROW:extension:name': `arrow.${one}`,
      'ARROW:extension:metadata': rest,
    });
    const metadata = name('fixed_shape_tensor', '{"shape":[]}');
    const ones = { format: '+w:1', length: 3, buffers: [null], children: [leaf(3)], metadata };
    await read(ones, async (array) => expect(await array.toNested()).toEqual([0, 1, 2]));
    const flags = { format: 'c', length: 2, buffers: [null, Int8Array.of(1, 0)] };
    const children = [{ ...flags, metadata: name('bool8', '') }];
    const pairs = { format: '+w:2', length: 1, buffers: [null], children };
    await read(pairs, async (array) => expect(await array.toNested()).toEqual([[true, false]]));
  });

  test('whose elements were taken over are refused', async () => {
    const children = [leaf(4)];
    const structs = producer.column({ format: '+w:2', length: 2, buffers: [null], children });
    using list = host.asArray({
      __array_interface__: { shape: [10], typestr: '<i8', data: [structs.array, true], version: 3 },
    });
    const [, , , , , , ofArrays] = await host.toTypedArray(list, { dtype: 'int64' });
    using child = host.asArray({
      __array_interface__: {
        shape: [1],
        typestr: '<i8',
        data: [ofArrays as bigint, true],
        version: 3,
      },
    });
    const [first] = await host.toTypedArray(child, { dtype: 'int64' });
    functions.releaseArray(first as bigint);
    expect(() => host.fromArrow(structs)).toThrow(
      /^\[ERR_DISPOSED\] array\.children\[0\]\.release/,
    );
    expect(functions.takeReleased()).toEqual({ schemas: 0, arrays: 1 });
  });

  test('at random offsets: whatever is drawn, element by element', async () => {
    const lists = fc.array(fc.record({ n: fc.nat(3), offset: fc.nat(5) }), { maxLength: 4 });
    const drawn = fc.record({ lists, length: fc.nat(4), offset: fc.nat(9) });
    const property = fc.asyncProperty(drawn, async ({ lists, length, offset }) => {
      const shape = [length, ...lists.map(({ n }) => n)];
      const offsets = [offset, ...lists.map((one) => one.offset)];
      // how many elements each level needs, and the column from the innermost one on
      const needed = [length];
      for (const [i, { n }] of lists.entries())
        needed.push(((offsets[i] ?? 0) + (needed[i] ?? 0)) * n);
      const most = (offsets.at(-1) ?? 0) + (needed.at(-1) ?? 0);
      const values = Int32Array.from({ length: most }, (_, i) => i);
      let column: Column = {
        format: 'i',
        length: needed.at(-1) ?? 0,
        offset: offsets.at(-1) ?? 0,
        buffers: [null, values],
      };
      for (let i = lists.length - 1; i >= 0; i--) {
        column = {
          format: `+w:${lists[i]?.n}`,
          length: needed[i] ?? 0,
          offset: offsets[i] ?? 0,
          buffers: [null],
          children: [column],
        };
      }
      const element = (at: number, axis: number): unknown =>
        axis === lists.length
          ? at
          : Array.from({ length: lists[axis]?.n ?? 0 }, (_, j) =>
              element(at * (lists[axis]?.n ?? 0) + j + (offsets[axis + 1] ?? 0), axis + 1),
            );
      const expected = Array.from({ length }, (_, i) => element(offset + i, 0));
      const nested = await read(column, async (array) => {
        expect(array.shape).toEqual(shape);
        return array.toNested();
      });
      expect(nested).toEqual(expected);
      producer.end();
    });
    await fc.assert(property, random(200));
  });
});

describe('nulls', () => {
  const flags = (count: number, seed = 5) =>
    Array.from({ length: count }, (_, i) => ((i * i + seed) % 7) % 2 === 0);

  test('are a mask of the column’s own bits', async () => {
    const validity = producer.bytes(bitsOf(flags(16)));
    const values = Int32Array.from({ length: 16 }, (_, i) => i);
    const column = {
      format: 'i',
      length: 8,
      offset: 8,
      nullCount: -1,
      buffers: [validity, values],
    };
    await read(column, async (array) => {
      expect(array.descriptor.mask?.pointer).toBe(validity + 1n);
      expect(array.descriptor.mask?.dtype.typestr).toBe('|t1');
      const shown = flags(16).map((flag, i) => (flag ? String(i) : '--'));
      expect(await array.toText()).toBe(`[${shown.slice(8).join(' ')}]`);
    });
  });

  test('at random offsets', async () => {
    const drawn = fc.record({ length: fc.nat(40), offset: fc.nat(70), seed: fc.nat() });
    const property = fc.asyncProperty(drawn, async ({ length, offset, seed }) => {
      const all = flags(offset + length, seed);
      const values = Int32Array.from(all, (_, i) => i);
      const column = { format: 'i', length, offset, nullCount: -1, buffers: [bitsOf(all), values] };
      const text = await read(column, (array) => array.toText({ lineWidth: 1000 }));
      const shown = all.map((flag, i) => (flag ? String(i) : '--'));
      expect(text).toBe(`[${shown.slice(offset).join(' ')}]`);
      producer.end();
    });
    await fc.assert(property, random(100));
  });

  test('are shown where a text shows elements', async () => {
    const all = flags(2000);
    const values = Int32Array.from(all, (_, i) => i);
    const column = { format: 'i', length: 2000, nullCount: -1, buffers: [bitsOf(all), values] };
    const shown = all.map((flag, i) => (flag ? String(i) : '--'));
    await read(column, async (array) => {
      const text = [...shown.slice(0, 3), '...', ...shown.slice(-3)].join(' ');
      expect(await array.toText({ threshold: 10 })).toBe(`[${text}]`);
    });
  });

  test('that a count denies are none, and so are bits that are missing', async () => {
    const values = Int32Array.of(1, 2);
    const column = { format: 'i', length: 2, buffers: [Uint8Array.of(0), values] };
    await read({ ...column, nullCount: 0 }, (array) => expect(array.descriptor.mask).toBe(null));
    await read({ ...column, nullCount: -1, buffers: [null, values] }, (array) =>
      expect(array.descriptor.mask).toBe(null),
    );
  });

  test('of lists, or of their elements', async () => {
    const values = Int32Array.of(0, 1, 2, 3, 4, 5);
    const leaf = { format: 'i', length: 6, buffers: [null, values] };
    const lists = {
      format: '+w:2',
      length: 3,
      buffers: [bitsOf([true, false, true])],
      nullCount: 1,
    };
    await read({ ...lists, children: [leaf] }, async (array) => {
      expect(array.descriptor.mask?.shape).toEqual([3, 1]);
      expect(await array.toText()).toBe('[[0 1]\n [-- --]\n [4 5]]');
    });
    const gaps = [bitsOf([true, true, false, true, true, true]), values];
    const children = [{ ...leaf, buffers: gaps, nullCount: 1 }];
    await read({ ...lists, buffers: [null], children }, async (array) => {
      expect(await array.toText()).toBe('[[0 1]\n [-- 3]\n [4 5]]');
    });
    const full = { ...lists, buffers: [bitsOf([true, true, true])], nullCount: -1, children };
    await read(full, async (array) => {
      expect(await array.toText()).toBe('[[0 1]\n [-- 3]\n [4 5]]');
    });
    const structs = producer.column({ ...lists, children });
    expect(() => host.fromArrow(structs)).toThrow(/^\[ERR_MASK\] .*fill some of the nulls/);
    stillThere(structs, 2);
  });
});

describe('what cannot be held is refused by name, and nothing is taken over', () => {
  const column = (parts: Partial<Column>): Column => ({
    format: 'i',
    length: 1,
    buffers: [null, Int32Array.of(1)],
    ...parts,
  });

  test.each([
    ['n', '(null)'],
    ['b', '(bool, whose elements are bits)'],
    ['u', '(utf8)'],
    ['Z', '(binary)'],
    ['vu', '(utf8)'],
    ['d:19,10', '(decimal)'],
    ['tdD', '(date32)'],
    ['ttm', '(time32 or time64)'],
    ['tiM', '(interval)'],
    ['+s', '(struct, as record batches are)'],
    ['+l', '(list)'],
    ['+vL', '(list)'],
    ['+m', '(map)'],
    ['+ud:0,1', '(union)'],
    ['+r', '(run_end_encoded)'],
    ['q', 'got "q"; check'],
    ['constructor', 'got "constructor"; check'],
    [`+w:x`, 'check'],
    ['+w:', 'got "+w:"; check'],
    ['', 'got ""; check'],
  ])('format %s', (format, name) => {
    const structs = producer.column(column({ format }));
    const expected = 'schema.format: expected a column of integers';
    expect(() => host.fromArrow(structs)).toThrow(`[ERR_DTYPE_UNSUPPORTED] ${expected}`);
    expect(() => host.fromArrow(structs)).toThrow(name);
    stillThere(structs, 1);
  });

  const tooShort = {
    format: '+w:2',
    length: 3,
    buffers: [null],
    children: [column({ length: 5 })],
  };
  const ofDictionary = [column({ isDictionary: true, length: 2 })];
  const dictionaries = { format: '+w:2', length: 1, buffers: [null], children: ofDictionary };
  test.each([
    ['a dictionary', column({ isDictionary: true }), 'ERR_DTYPE_UNSUPPORTED'],
    ['three buffers', column({ buffers: [null, null, null] }), 'ERR_TYPE'],
    ['lists without elements', column({ format: '+w:2', buffers: [null] }), 'ERR_TYPE'],
    ['lists that are too short', tooShort, 'ERR_OUT_OF_BOUNDS'],
    ['a negative length', column({ length: -1 }), 'ERR_NEGATIVE_DIMENSION'],
    ['a negative offset', column({ offset: -1 }), 'ERR_NEGATIVE_DIMENSION'],
    ['a length that no memory has', column({ length: 2n ** 62n }), 'ERR_OVERFLOW'],
    ['lists of endless length', column({ format: `+w:${'9'.repeat(400)}` }), 'ERR_OVERFLOW'],
    ['lists past 2^53', column({ format: '+w:9007199254740993' }), 'ERR_OVERFLOW'],
    ['a dictionary in lists', dictionaries, 'ERR_DTYPE_UNSUPPORTED'],
    ['elements at 0', column({ buffers: [null, null] }), 'ERR_NULL_POINTER'],
    ['elements where nothing is', column({ buffers: [null, 4096n] }), 'ERR_POINTER_UNKNOWN'],
    [
      'bits where nothing is',
      column({ nullCount: 1, buffers: [4096n, 64n] }),
      'ERR_POINTER_UNKNOWN',
    ],
  ] as const)('%s', (_, given, code) => {
    const structs = producer.column(given as Column);
    expect(() => host.fromArrow(structs)).toThrow(new RegExp(`^\\[${code}\\] `));
    stillThere(structs, countOf(given as Column));
  });

  test('addresses without structs leave everything alone', () => {
    const { schema, array } = producer.column(column({}));
    const wrong: unknown[] = [
      null,
      {},
      { schema },
      { schema: 0n, array },
      { schema, array: 4096n },
      { schema: array, array: schema },
      { schema, array: schema },
      { schema: array, array },
      { schema, array: schema + 8n },
      { schema, array: -1 },
      { schema, array, more: 1 },
    ];
    for (const given of wrong)
      expect(() => host.fromArrow(given as never)).toThrow(/^\[ERR_\w+\] /);
    expect(functions.takeReleased()).toEqual({ schemas: 0, arrays: 0 });
    host.fromArrow({ schema, array })[Symbol.dispose]();
    expect(functions.takeReleased()).toEqual({ schemas: 1, arrays: 1 });
  });

  test('structs of random bytes are refused or read, and never end the process', () => {
    const pointer = fc.oneof(
      fc.constant('own' as const),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    );
    const drawn = fc.record({
      format: fc.constantFrom('i', 'g', 'w:3', '+w:2', '+w:0'),
      numbers: fc.array(fc.bigInt({ min: -4n, max: 9n }), { minLength: 5, maxLength: 5 }),
      pointers: fc.array(pointer, { minLength: 4, maxLength: 4 }),
    });
    const property = fc.property(drawn, ({ format, numbers, pointers }) => {
      const own = producer.bytes(new Uint8Array(256).map((_, i) => (i * 37) % 256));
      const [a, b, c, d] = pointers.map((one) => (one === 'own' ? own : one)) as bigint[];
      const write = (fields: (bigint | undefined)[]) =>
        producer.bytes(BigInt64Array.from(fields, (field) => BigInt.asIntN(64, field ?? 0n)));
      const text = producer.bytes(new TextEncoder().encode(`${format}\0`));
      const [length, nulls, offset, buffers, children] = numbers;
      const { schemaRelease, arrayRelease } = functions;
      const schema = write([text, 0n, 0n, 0n, children, a, 0n, schemaRelease, 0n]);
      const fields = [length, nulls, offset, buffers, children, b, c, d, arrayRelease, 0n];
      const array = write(fields);
      try {
        host.fromArrow({ schema, array })[Symbol.dispose]();
      } catch (error) {
        expect(String(error)).toMatch(/\[ERR_\w+\] .*expected .*, got /);
      }
      const { schemas, arrays } = functions.takeReleased();
      expect(schemas).toBe(arrays); // both, or neither
      producer.end();
    });
    fc.assert(property, random(300));
  });
});
