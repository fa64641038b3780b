import { describe, expect, test } from 'vitest';
import { checkParameters } from '../../src/kernels/check-parameters.js';
import { refused } from '../support/refused.js';

// Modules of one function, written here by hand, against every type that a definition may name.

/** What a parameter takes: bytes, a pointer, a struct of bytes, or what is left to the runtime. */
type Takes = number | 'array' | 'local' | `struct ${number}` | 'any';

/** Core's code of a struct. */
const struct = (bytes: number) => 12 | (bytes << 8);

/** Core's codes, and what SPIR-V has to have there. */
const WANTED: readonly (readonly [name: string, code: number, takes: Takes])[] = [
  ...([
    ['int8', 0, 1],
    ['uint8', 1, 1],
    ['int16', 2, 2],
    ['uint16', 3, 2],
  ] as const),
  ...([
    ['int32', 4, 4],
    ['uint32', 5, 4],
    ['int64', 6, 8],
    ['uint64', 7, 8],
  ] as const),
  ...([
    ['float32', 8, 4],
    ['float64', 9, 8],
  ] as const),
  ...([
    ['an array', 10, 'array'],
    ['local memory', 11, 'local'],
  ] as const),
  ...[1, 4, 5, 8, 12, 16, 24].map(
    (bytes) => [`a struct of ${bytes} bytes`, struct(bytes), `struct ${bytes}`] as const,
  ),
];

/** Types by their ids: the operation, and what comes behind the id. */
const VOID = 1;
const TYPES: Readonly<Record<number, readonly number[]>> = {
  [VOID]: [19],
  ...{ 2: [21, 8, 0], 3: [21, 16, 0], 4: [21, 32, 0], 5: [21, 64, 0] }, // integers
  ...{ 6: [22, 16], 7: [22, 32], 8: [22, 64] }, // floats
  ...{ 9: [23, 7, 2], 10: [23, 7, 3], 11: [23, 3, 4], 12: [23, 8, 3] }, // vectors
  ...{ 17: [23, 2, 3], 18: [23, 3, 3], 19: [23, 2, 2] }, // and those that fit into a number's place
  ...{ 13: [32, 5, 7], 14: [32, 4, 7] }, // pointers
  ...{ 20: [30, 2], 21: [30, 4, 4], 22: [30, 2, 4], 23: [30, 2, 4], 24: [30, 5, 7] }, // structs,
  ...{ 26: [28, 4, 70], 27: [30, 26], 28: [30, 22, 8, 3] }, // of an array and of a struct,
  ...{ 29: [30, 13, 4], 30: [30, 17] }, // and of what has no layout here, and of a vector
  ...{ 40: [32, 7, 20], 41: [32, 7, 21], 42: [32, 7, 22], 43: [32, 7, 23], 44: [32, 7, 24] },
  ...{ 47: [32, 7, 27], 48: [32, 7, 28], 49: [32, 7, 29], 50: [32, 7, 30] },
};
/** `OpDecorate 23 CPacked`, and the constant 70, an int: 3. */
const OTHERS = [
  [71, 23, 10],
  [43, 4, 70, 3],
] as const;

/** Each by its id, with what a parameter of it takes. */
const GIVEN: readonly (readonly [name: string, id: number, takes: Takes])[] = [
  ['a char', 2, 1],
  ['a short', 3, 2],
  ['an int', 4, 4],
  ['a long', 5, 8],
  ['a half', 6, 2],
  ['a float', 7, 4],
  ['a double', 8, 8],
  ['a vector of 2 floats', 9, 8],
  ['a vector of 3 floats, which has the place of 4', 10, 16],
  ['a vector of 4 shorts', 11, 8],
  ['a vector of 3 doubles', 12, 32],
  ['a vector of 3 chars, which has the place of 4', 17, 4],
  ['a vector of 3 shorts, which has the place of 4', 18, 8],
  ['a vector of 2 chars', 19, 2],
  ['a pointer to global memory', 13, 'array'],
  ['a pointer to local memory', 14, 'local'],
  ['a struct of a char', 40, 'struct 1'],
  ['a struct of two ints', 41, 'struct 8'],
  ['a struct of a char and an int', 42, 'struct 8'],
  ['a packed struct of a char and an int', 43, 'struct 5'],
  ['a struct of a long and a float', 44, 'struct 16'],
  ['a struct of three ints in an array', 47, 'struct 12'],
  ['a struct of a struct, a double and a short', 48, 'struct 24'],
  ['a struct of a pointer and an int', 49, 'any'],
  ['a struct of a vector of 3 chars', 50, 'struct 4'],
];

const HEADER = [0x07230203, 0x00010600, 0, 100, 0];
const [TYPE_OF_FUNCTION, FUNCTION] = [90, 91];

/** A module whose kernel `run` has parameters of these types. */
function moduleOf(ids: readonly number[]): Uint8Array {
  const instruction = (operation: number, ...operands: number[]) => [
    ((operands.length + 1) << 16) | operation,
    ...operands,
  ];
  const types = Object.entries(TYPES).map(([id, [operation, ...operands]]) =>
    instruction(operation as number, Number(id), ...operands),
  );
  const words = [
    ...HEADER,
    ...instruction(15, 6, FUNCTION, 0x006e7572), // 'run'
    ...OTHERS.flatMap(([operation, ...operands]) => instruction(operation, ...operands)),
    ...types.flat(),
    ...instruction(33, TYPE_OF_FUNCTION, VOID, ...ids),
    ...instruction(54, VOID, FUNCTION, 0, TYPE_OF_FUNCTION),
    ...instruction(56),
  ];
  return new Uint8Array(Uint32Array.from(words).buffer);
}

describe.each(GIVEN)('a function that takes %s', (_, id, given) => {
  test.each(WANTED)('is distinguished from one of %s, wherever it is', async (_, code, wanted) => {
    for (const before of [[], [4], [13, 2]]) {
      // Whatever comes before it, an int, an array or a char, is as it should be.
      const codes = before.map((one) => ({ 2: 0, 4: 4, 13: 10 })[one] as number);
      const check = () => checkParameters(moduleOf([...before, id]), 'run', [...codes, code]);
      if (given === 'any' || given === wanted) {
        check();
        continue;
      }
      const error = await refused('ERR_KERNEL', check);
      expect(error.path).toBe('code.sycl');
      expect(error.message).toContain(`whose parameter ${before.length} `);
    }
  });
});

test.each([
  ['fewer', [4], [4, 4]],
  ['more', [4, 4], [4]],
])('a function of %s parameters is refused', async (words, ids, codes) => {
  const error = await refused('ERR_KERNEL', () => checkParameters(moduleOf(ids), 'run', codes));
  expect(error.message).toContain(words);
});

test('a module without the function is left to other checks', () => {
  expect(() => checkParameters(moduleOf([]), 'another', [1, 2, 3])).not.toThrow();
});
