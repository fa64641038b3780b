import { describe, expect, test } from 'vitest';
import { checkParameters } from '../../src/kernels/check-parameters.js';
import { refused } from '../support/refused.js';

// Modules of one function, written here by hand, against every type that a definition may name.

/** Core's codes, in their order, and what SPIR-V has to have there. */
const WANTED: readonly (readonly [name: string, bytes: number | null])[] = [
  ...([['int8', 1], ['uint8', 1], ['int16', 2], ['uint16', 2]] as const), // biome-ignore format: one line
  ...([['int32', 4], ['uint32', 4], ['int64', 8], ['uint64', 8]] as const), // biome-ignore format: one line
  ...([['float32', 4], ['float64', 8], ['an array', null], ['local memory', null]] as const), // biome-ignore format: one line
];

/** Types by their ids: the operation, and what comes behind the id. */
const VOID = 1;
const TYPES: Readonly<Record<number, readonly number[]>> = {
  [VOID]: [19],
  ...{ 2: [21, 8, 0], 3: [21, 16, 0], 4: [21, 32, 0], 5: [21, 64, 0] }, // integers
  ...{ 6: [22, 16], 7: [22, 32], 8: [22, 64] }, // floats
  ...{ 9: [23, 7, 2], 10: [23, 7, 3], 11: [23, 3, 4], 12: [23, 8, 3] }, // vectors
  ...{ 17: [23, 2, 3], 18: [23, 3, 3], 19: [23, 2, 2] }, // and those that fit into a number's place
  ...{ 13: [32, 5, 7], 14: [32, 4, 7], 15: [30, 4, 4], 16: [32, 7, 15] }, // pointers, and a struct
};

/** Each by its id, with what a parameter of it takes: bytes, a pointer, or what is left to the runtime. */
const GIVEN: readonly (readonly [
  name: string,
  id: number,
  takes: number | 'array' | 'local' | 'any',
])[] = [
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
  ['a struct by value', 16, 'any'],
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
    ...types.flat(),
    ...instruction(33, TYPE_OF_FUNCTION, VOID, ...ids),
    ...instruction(54, VOID, FUNCTION, 0, TYPE_OF_FUNCTION),
    ...instruction(56),
  ];
  return new Uint8Array(Uint32Array.from(words).buffer);
}

const takes = (given: number | string, wanted: readonly [string, number | null]) => {
  if (given === 'any') return true;
  const [name, bytes] = wanted;
  return given === (bytes ?? (name === 'an array' ? 'array' : 'local'));
};

describe.each(GIVEN)('a function that takes %s', (_, id, given) => {
  test.each(WANTED.map((wanted, code) => [wanted[0], code, wanted] as const))(
    'is distinguished from one of %s, wherever it is',
    async (_name, code, wanted) => {
      for (const before of [[], [4], [13, 2]]) {
        // Whatever comes before it, an int, an array or a char, is as it should be.
        const codes = before.map((one) => ({ 2: 0, 4: 4, 13: 10 })[one] as number);
        const check = () => checkParameters(moduleOf([...before, id]), 'run', [...codes, code]);
        if (takes(given, wanted)) {
          check();
          continue;
        }
        const error = await refused('ERR_KERNEL', check);
        expect(error.path).toBe('code.sycl');
        expect(error.message).toContain(`whose parameter ${before.length} `);
      }
    },
  );
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
