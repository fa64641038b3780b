import { describe, expect, test } from 'vitest';
import { checkParameters } from '../src/check-parameters.js';

// Every type of OpenCL C that a parameter by value can have, beside every number of a definition. Modules are
// written here word by word, since no compiler's is needed for what their types say.

/** Bits of the components of vectors. */
const COMPONENTS = [8, 16, 32, 64];
/** 1: no vector. */
const LENGTHS = [1, 2, 3, 4, 8, 16];
/** Core's code of a number by its bytes. */
const NUMBERS = new Map([
  [1, 0],
  [2, 2],
  [4, 4],
  [8, 6],
]);

/** `sizeof` in OpenCL C 3.0, 6.3.5: a vector of three takes the room of four. */
const sizeOf = (bits: number, length: number) => (bits / 8) * (length === 3 ? 4 : length);

/** An instruction's words: its length and operation, and then its operands. */
const instruction = (operation: number, ...operands: number[]) => [
  ((operands.length + 1) << 16) | operation,
  ...operands,
];

/** A module of one function `one`, whose parameter has the type that `types` give the number 3. */
function moduleOf(types: readonly number[][]): Uint8Array {
  const [one, nothing, signature] = [10, 11, 12];
  const name = new Uint32Array(new TextEncoder().encode('one\0').buffer);
  const words = [
    [0x07230203, 0x00010000, 0, 20, 0],
    instruction(15, 6, one, ...name),
    ...types,
    instruction(19, nothing),
    instruction(33, signature, nothing, 3),
    instruction(54, nothing, one, 0, signature),
    instruction(56),
  ];
  return new Uint8Array(Uint32Array.from(words.flat()).buffer);
}

function typesOf(bits: number, length: number, isFloat: boolean): readonly number[][] {
  const [component, vector] = [length === 1 ? 3 : 2, 3];
  const scalar = isFloat ? instruction(22, component, bits) : instruction(21, component, bits, 0);
  return length === 1 ? [scalar] : [scalar, instruction(23, vector, component, length)];
}

const CASES = COMPONENTS.flatMap((bits) =>
  LENGTHS.flatMap((length) =>
    [false, true]
      .filter((isFloat) => !isFloat || bits > 8)
      .map((isFloat) => [isFloat ? 'float' : 'int', bits, length] as const),
  ),
);

describe.each(CASES)('a parameter of type %s%i, %i of them', (kind, bits, length) => {
  const module = moduleOf(typesOf(bits, length, kind === 'float'));
  const size = sizeOf(bits, length);

  test.each([...NUMBERS])(`of ${size} bytes, is a number of %i or refused`, (bytes, code) => {
    const check = () => checkParameters(module, 'one', [code]);
    if (bytes === size) expect(check).not.toThrow();
    else expect(check).toThrow(`whose parameter 0 has ${bytes} bytes, got one of ${size};`);
  });
});
