import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fromArrayInterface, fromSyclUsmArrayInterface, makeDescriptor } from '../../src/index.js';

const lines = (value: unknown) => inspect(value).split('\n');
const made = (changes: object) =>
  makeDescriptor({ pointer: 4096n, shape: [2, 3], dtype: 'float32', ...changes });

describe('a descriptor', () => {
  it.each([
    [{}, '<f4 [2, 3] at 0x1000, 24 bytes, C-contiguous'],
    [{ byteStrides: [4, 8] }, '<f4 [2, 3] at 0x1000, 24 bytes, F-contiguous'],
    [{ byteStrides: [-16, 4] }, '<f4 [2, 3] at 0x1000, 24 bytes, strides of [-16, 4] bytes'],
    [{ shape: [], dtype: '>i8' }, '>i8 [] at 0x1000, 8 bytes'],
    [{ shape: [0, 3] }, '<f4 [0, 3] at 0x1000, no elements, C-contiguous'],
    [{ dtype: 'bfloat16' }, 'bfloat16 [2, 3] at 0x1000, 12 bytes, C-contiguous'],
    [
      { pointer: 8n, shape: [2], buffer: new ArrayBuffer(16) },
      '<f4 [2] at byte 8 of a buffer, 8 bytes, C-contiguous',
    ],
    [
      { readOnly: true, stream: 17n, mask: 'bool' },
      '<f4 [2, 3] at 0x1000, 24 bytes, C-contiguous, read-only, pending on stream 0x11, masked',
    ],
  ])('of %o is worth reading', (changes, expected) => {
    const array = made('mask' in changes ? { ...changes, mask: made({ dtype: 'bool' }) } : changes);
    expect(String(array)).toBe(`ArrayDescriptor(${expected})`);
    expect(lines(array)[0]).toBe(`ArrayDescriptor ${expected}`);
  });

  it('shows a record', () => {
    const position = [
      ['a', '<i4'],
      ['', '|V1'],
      ['b\u001b', '<i2', [2]],
    ];
    const descr = [
      ['x', '<f4'],
      ['p', position],
    ];
    const dict = { version: 3, shape: [4], typestr: '|V13', data: [4096, true], descr };
    expect(lines(fromArrayInterface(dict))).toEqual([
      'ArrayDescriptor |V13 [4] at 0x1000, 52 bytes, C-contiguous, read-only',
      '  x <f4 at byte 0',
      '  p |V9 at byte 4',
      '    a <i4 at byte 0',
      '    "b\\u001b" <i2 [2] at byte 5',
    ]);
  });

  it('shows what belongs to it', () => {
    const dict = { version: 1, shape: [4], typestr: '|f4', data: [4096, false], offset: 3 };
    const owner = { name: 'x', deep: { deeper: { deepest: 1 } } };
    expect(lines(fromSyclUsmArrayInterface({ ...dict, syclobj: 'cpu' }, { owner }))).toEqual([
      'ArrayDescriptor <f4 [4] at 0x100c, 16 bytes, C-contiguous',
      '  element 3 from base 0x1000',
      "  syclobj 'cpu'",
      "  owner { name: 'x', deep: { deeper: [Object] } }",
    ]);
    expect(lines(made({ mask: made({ dtype: 'bool', shape: [3] }), owner: [[{ a: 1 }]] }))).toEqual(
      [
        'ArrayDescriptor <f4 [2, 3] at 0x1000, 24 bytes, C-contiguous, masked',
        '  mask |b1 [3] at 0x1000, 3 bytes, C-contiguous',
        '  owner [ [ [Object] ] ]',
      ],
    );
  });

  it('is short inside other objects', () => {
    expect(inspect({ a: { b: made({}) } }, { depth: 1 })).toBe(
      '{ a: { b: [ArrayDescriptor <f4 [2, 3]] } }',
    );
    const whole = '{ a: ArrayDescriptor <f4 [2, 3] at 0x1000, 24 bytes, C-contiguous }';
    expect(inspect({ a: made({}) }, { depth: 1, breakLength: 200 })).toBe(whole);
    expect(inspect({ a: made({}) }, { depth: 0 })).toBe('{ a: [ArrayDescriptor <f4 [2, 3]] }');
  });

  it('shows as much of its owner as Node is asked for', () => {
    const array = made({ owner: { a: { b: { c: { d: 1 } } } } });
    expect(inspect(array, { depth: null })).toContain('a: { b: { c: { d: 1 } } }');
    expect(inspect(array, { depth: 1 })).toContain('owner { a: [Object] }');
  });
});
