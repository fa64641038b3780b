import { defineKernel, type Parameters } from '@array-interface/core/kernel';
import { host } from '@array-interface/host';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';

// Numbers of types, layouts and operations: packages/host/native/program/instruction.hpp.
const [BOOL, INT32, INT64, FLOAT32, FLOAT64] = [0, 3, 4, 9, 10];
const [DENSE, ONE, STRIDED] = [0, 1, 2];
const [LOAD, SCALAR, CONSTANT, INDEX, ADD, MULTIPLY, QUOTIENT, REMAINDER] = [
  0, 1, 2, 3, 4, 6, 8, 9,
];
const [SHIFT_LEFT, SELECT, CONVERT, REINTERPRET, STORE] = [23, 28, 29, 30, 31];

type Line = readonly [operation: number, type: number, a?: number, b?: number, c?: number];
type ArrayWords = readonly [place: number, layout: number, bytes: number];

/** A program; its first parameters are the first index, the number of elements, and the lengths. */
function program(arrays: readonly ArrayWords[], lines: readonly Line[], rank = 1): Uint8Array {
  const words = [0x5058_4941, 1, rank, arrays.length, lines.length];
  for (let place = 0; place <= rank; place++) words.push(place);
  words.push(...arrays.flat());
  for (const [operation, type, a = 0, b = 0, c = 0] of lines)
    words.push(operation + type * 256, a, b, c);
  return new Uint8Array(Uint32Array.from(words).buffer);
}

const RANGE = { first: 'uint32', total: 'uint32' } as const;

function kernelOf(parameters: Parameters, bytes: Uint8Array, mayOverlap = false) {
  return defineKernel({ name: 'f', parameters, mayOverlap, code: { host: { program: bytes } } });
}

const PAIR = { ...RANGE, z: { write: 'float32' }, x: { read: 'float32' } } as const;
const DENSE_PAIR: readonly ArrayWords[] = [[2, DENSE, 4], [3, DENSE, 4]]; // biome-ignore format: in a row
/** z = x * x + x */
const POLYNOMIAL: readonly Line[] = [
  [LOAD, FLOAT32, 1],
  [MULTIPLY, FLOAT32, 0, 0],
  [ADD, FLOAT32, 1, 0],
  [STORE, FLOAT32, 0, 0, 2],
];

describe('a program', () => {
  test.each([1, 3])('computes a part of a range, on %i threads', async (threads) => {
    const count = 200_003;
    using queue = host.createQueue({ threads });
    using x = await host.array(Float32Array.from({ length: count }, (_, i) => i % 1000));
    using z = await host.array(new Float32Array(count));
    const kernel = kernelOf(PAIR, program(DENSE_PAIR, POLYNOMIAL));
    await host.launch(kernel, { range: [count], queue }, { first: 5, total: count - 1, z, x });
    const got = (await host.toTypedArray(z)) as Float32Array;
    const expected = Float32Array.from({ length: count }, (_, i) => {
      const value = i % 1000;
      return i < 5 || i === count - 1 ? 0 : value * value + value;
    });
    expect(Buffer.compare(Buffer.from(got.buffer), Buffer.from(expected.buffer))).toBe(0);
  });

  test('writes where it reads, and has done so when the launch returns', async () => {
    using x = await host.array([1, 2, 3], { dtype: 'float32' });
    const kernel = kernelOf(PAIR, program(DENSE_PAIR, POLYNOMIAL), true);
    const view = (await x.asTypedArray()) as Float32Array;
    const launched = host.launch(kernel, { range: [3] }, { first: 0, total: 3, z: x, x });
    expect([...view]).toEqual([2, 6, 12]);
    await launched;
  });

  test('has strides, single elements, indices, numbers and conversions', async () => {
    const parameters = {
      ...RANGE,
      columns: 'uint32',
      z: { write: 'float64', strides: 2 },
      x: { read: 'int32', strides: 2 },
      y: { read: 'int32' },
      n: 'int64',
    } as const;
    const lines: readonly Line[] = [
      [LOAD, INT32, 1],
      [LOAD, INT32, 2],
      [ADD, INT32, 0, 1],
      [CONVERT, INT64, 2],
      [INDEX, INT64, 0],
      [SCALAR, INT64, 10],
      [MULTIPLY, INT64, 4, 5],
      [ADD, INT64, 3, 6],
      [CONVERT, FLOAT64, 7],
      [REINTERPRET, INT64, 8],
      [REINTERPRET, FLOAT64, 9],
      [STORE, FLOAT64, 0, 0, 10],
    ];
    const bytes = program(
      [
        [3, STRIDED, 8],
        [6, STRIDED, 4],
        [9, ONE, 4],
      ],
      lines,
      2,
    );
    using x = await host.array(
      [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      { dtype: 'int32' },
    );
    using y = await host.array([100], { dtype: 'int32' });
    using z = host.empty([2, 3], 'float64');
    const values = { first: 0, total: 6, columns: 2, z: z.transpose(), x: x.flip(0), y, n: 1000n };
    await host.launch(kernelOf(parameters, bytes), { range: [6] }, values as never);
    expect(await z.toNested()).toEqual([
      [105, 1103, 2101],
      [106, 1104, 2102],
    ]);
  });

  test('of a long and of short rows gets the same elements', async () => {
    const parameters = {
      ...RANGE,
      inner: 'uint32',
      z: { write: 'float32', strides: 2 },
      x: { read: 'float32', strides: 2 },
    } as const;
    const lines: readonly Line[] = [
      [LOAD, FLOAT32, 1],
      [INDEX, INT64, 1],
      [CONVERT, FLOAT32, 1],
      [ADD, FLOAT32, 0, 2],
      [STORE, FLOAT32, 0, 0, 3],
    ];
    const kernel = kernelOf(
      parameters,
      program(
        [
          [3, STRIDED, 4],
          [6, STRIDED, 4],
        ],
        lines,
        2,
      ),
    );
    for (const [rows, columns] of [
      [7, 5000],
      [5000, 7],
      [300, 131],
    ] as const) {
      const elements = Float32Array.from({ length: rows * (columns + 1) }, (_, i) => i % 4096);
      using whole = await host.array(elements, { shape: [rows, columns + 1] } as never);
      const x = whole.slice([
        [0, rows],
        [0, columns],
      ]);
      using z = host.empty([rows, columns], 'float32');
      const values = { first: 0, total: rows * columns, inner: columns, z, x };
      await host.launch(kernel, { range: [rows * columns] }, values as never);
      const got = (await host.toTypedArray(z)) as Float32Array;
      const wrong = got.findIndex((value, i) => {
        const [row, column] = [Math.floor(i / columns), i % columns];
        return value !== (elements[row * (columns + 1) + column] as number) + column;
      });
      expect([rows, columns, wrong]).toEqual([rows, columns, -1]);
    }
  });

  test('does what no processor does: it divides by 0 and shifts by any number', async () => {
    const parameters = {
      ...RANGE,
      z: { write: 'int64' },
      x: { read: 'int64' },
      y: { read: 'int64' },
    } as const;
    const all: readonly ArrayWords[] = [
      [2, DENSE, 8],
      [3, DENSE, 8],
      [4, DENSE, 8],
    ];
    const least = -(2n ** 63n);
    using x = await host.array(BigInt64Array.of(7n, least, -7n));
    using y = await host.array(BigInt64Array.of(0n, -1n, 66n));
    for (const [operation, expected] of [
      [QUOTIENT, [0n, least, 0n]],
      [REMAINDER, [7n, 0n, -7n]],
      [SHIFT_LEFT, [7n, 0n, -28n]],
    ] as const) {
      const lines: readonly Line[] = [
        [LOAD, INT64, 1],
        [LOAD, INT64, 2],
        [operation, INT64, 0, 1],
        [STORE, INT64, 0, 0, 2],
      ];
      using z = host.empty([3], 'int64');
      const kernel = kernelOf(parameters, program(all, lines));
      await host.launch(kernel, { range: [3] }, { first: 0, total: 3, z, x, y });
      expect([...((await z.asTypedArray()) as BigInt64Array)]).toEqual(expected);
    }
  });
});

describe('a faulty program is ERR_KERNEL', () => {
  const right = program(DENSE_PAIR, POLYNOMIAL);
  const changed = (word: number, value: number) => {
    const bytes = right.slice();
    new Uint32Array(bytes.buffer)[word] = value;
    return bytes;
  };
  const instruction = (...lines: readonly Line[]) => program(DENSE_PAIR, lines);

  test.each([
    ['not its first bytes', changed(0, 1), 'the bytes of a program'],
    ['another version', changed(1, 2), 'a program of version 1'],
    ['no axes', changed(2, 0), '1 to 64 axes'],
    ['too few bytes', right.slice(0, -4), 'more bytes'],
    ['too many bytes', Uint8Array.of(...right, 0, 0, 0, 0), 'no bytes behind the instructions'],
    ['an index that is an array', changed(5, 2), 'a parameter of uint32 or uint64'],
    ['an array that is a number', changed(7, 0), 'the place of an array'],
    ['no parameter', changed(7, 99), 'the place of a parameter'],
    ['no layout', changed(8, 3), 'a layout'],
    ['strides that are not there', changed(8, STRIDED), 'strides of int64'],
    ['elements of another size', changed(9, 8), "the array's size of an element"],
    ['no operation', instruction([99, FLOAT32]), 'the number of an operation'],
    ['no type', instruction([LOAD, 11, 1]), 'the number of a type'],
    [
      'a later operand',
      instruction([LOAD, FLOAT32, 1], [ADD, FLOAT32, 0, 1]),
      'an earlier instruction',
    ],
    [
      'operands of two types',
      instruction([LOAD, FLOAT32, 1], [LOAD, INT32, 1], [ADD, FLOAT32, 0, 1]),
      'operands of one type',
    ],
    [
      'a result of another type',
      instruction([LOAD, FLOAT32, 1], [ADD, INT32, 0, 0]),
      "a result of the operands' type",
    ],
    [
      'an operation that a type lacks',
      instruction([CONSTANT, BOOL, 1], [ADD, BOOL, 0, 0]),
      'an operation that the type has',
    ],
    [
      'a condition that is a number',
      instruction([LOAD, FLOAT32, 1], [SELECT, FLOAT32, 0, 0, 0]),
      'a condition that is a bool',
    ],
    [
      'bits of another width',
      instruction([LOAD, FLOAT32, 1], [REINTERPRET, INT64, 0]),
      'a type of as many bits',
    ],
    ['no such array', instruction([LOAD, FLOAT32, 2]), 'an array'],
    ['a part beyond the element', instruction([LOAD, FLOAT32, 1, 1]), 'a part of the element'],
    ['a wider element', instruction([LOAD, FLOAT64, 1]), 'a part of the element'],
    ['an axis beyond the loop', instruction([INDEX, INT64, 1]), 'an axis'],
    [
      'a number of another type',
      instruction([SCALAR, INT64, 0]),
      "a parameter of the instruction's type",
    ],
    [
      'a store into what is read',
      instruction([LOAD, FLOAT32, 1], [STORE, FLOAT32, 1, 0, 0]),
      'an array that is written',
    ],
    [
      'a store of another type',
      instruction([CONSTANT, INT32, 1], [STORE, FLOAT32, 0, 0, 0]),
      'a value of the type that is stored',
    ],
    [
      'a step behind a store',
      instruction([CONSTANT, FLOAT32], [STORE, FLOAT32, 0, 0, 0], [CONSTANT, FLOAT32]),
      'nothing but stores behind a store',
    ],
  ])('with %s', async (_, bytes, expected) => {
    using x = host.empty([3], 'float32');
    using z = host.empty([3], 'float32');
    const launched = host.launch(
      kernelOf(PAIR, bytes),
      { range: [3] },
      { first: 0, total: 3, z, x },
    );
    const error = await refused(() => launched, 'ERR_KERNEL');
    expect(error.message).toContain(`code.host.program: expected ${expected}, got `);
  });

  test('whose arrays are too short, or lengths do not fit', async () => {
    using x = host.empty([3], 'float32');
    using z = await host.array([7, 7, 7], { dtype: 'float32' });
    const kernel = kernelOf(PAIR, right);
    const short = await refused(
      () => host.launch(kernel, { range: [4] }, { first: 0, total: 4, z, x }),
      'ERR_KERNEL',
    );
    expect(short.message).toContain('expected an array 0 that holds all elements');
    await refused(
      () => host.launch(kernel, { range: [2 ** 31] }, { first: 0, total: 2 ** 32 - 1, z, x }),
      'ERR_KERNEL',
    );
    const axes = await refused(
      () => host.launch(kernel, { range: [1, 3] }, { first: 0, total: 3, z, x }),
      'ERR_KERNEL',
    );
    expect(axes.message).toContain('expected a range of one axis');
    expect(await z.toNested()).toEqual([7, 7, 7]);
    const parameters = { ...RANGE, inner: 'uint32', z: { write: 'float32', strides: 2 } } as const;
    const fill = program(
      [[3, STRIDED, 4]],
      [
        [CONSTANT, FLOAT32],
        [STORE, FLOAT32, 0, 0, 0],
      ],
      2,
    );
    using plane = host.empty([2, 3], 'float32');
    for (const inner of [0, 4, 2]) {
      const values = { first: 0, total: 6, inner, z: plane };
      await refused(
        () => host.launch(kernelOf(parameters, fill), { range: [6] }, values),
        'ERR_KERNEL',
      );
    }
  });

  test('or runs, whatever its bytes are, and changes nothing else', async () => {
    const parameters = {
      ...RANGE,
      inner: 'uint32',
      z: { write: 'float64', strides: 2 },
      x: { read: 'float32', strides: 2 },
      n: 'int64',
    } as const;
    const arrays: readonly ArrayWords[] = [
      [3, STRIDED, 8],
      [6, STRIDED, 4],
    ];
    const operand = fc.nat(11);
    const line = fc.tuple(fc.nat(31), fc.nat(10), operand, operand, operand);
    const numbers = fc.tuple(fc.nat(40), fc.nat(40), fc.nat(12));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        numbers,
        async (drawn, [first, total, inner]) => {
          const lines = [[LOAD, FLOAT32, 1], [SCALAR, INT64, 9], ...drawn] as readonly Line[];
          using block = await host.array(new Float64Array(40).fill(1));
          using x = await host.array(
            [
              [1, 2, 3],
              [4, 5, 6],
            ],
            { dtype: 'float32' },
          );
          const z = block.slice([[10, 30]]).reshape([4, 5]);
          const kernel = kernelOf(parameters, program(arrays, lines, 2));
          const values = { first, total, inner, z, x, n: -5n };
          await host
            .launch(kernel, { range: [30] }, values)
            .catch((error: Error) => expect(error).toMatchObject({ code: 'ERR_KERNEL' }));
          const after = [...((await host.toTypedArray(block)) as Float64Array)];
          expect([...after.slice(0, 10), ...after.slice(30)]).toEqual(new Array(20).fill(1));
        },
      ),
      random(300),
    );
  });
});
