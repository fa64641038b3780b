import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { field, fromCudaArrayInterface, makeDescriptor, view } from '../../src/index.js';
import { addresses, arrays } from '../support/elements.js';
import { record } from '../support/records.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const particle = () =>
  record(32, [
    ['id', '<u2'],
    ['', '|V2'],
    [
      'place',
      [
        ['x', '<f4'],
        [['height', 'y'], '<f4'],
      ],
    ],
    ['spin', '<i2', [2, 3]],
    ['', '|V4'],
    [['mass of it', 'mass'], '|u1', [4]],
  ]);

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [5], dtype: particle(), ...changes });

describe('field', () => {
  it('begins where the field does in each element', () => {
    fc.assert(
      fc.property(arrays, (plain) => {
        const array = makeDescriptor({ ...plain, pointer: 2n ** 32n, dtype: particle() });
        const found = field(array, 'place', 'y');
        expect(found).toMatchObject({ shape: array.shape, byteStrides: array.byteStrides });
        expect(found.dtype.typestr).toBe('<f4');
        expect(addresses(found)).toEqual(addresses(array).map((address) => address + 8n));
        expect(found).toMatchObject({ stream: array.stream, readOnly: array.readOnly });
      }),
      random(),
    );
  });

  it('has the axes of a sub-array last', () => {
    expect(field(make(), 'spin')).toMatchObject({
      shape: [5, 2, 3],
      byteStrides: [32, 6, 2],
      pointer: 4096n + 12n,
      dtype: { typestr: '<i2' },
    });
    expect(field(make({ shape: [] }), 'mass').shape).toEqual([4]);
  });

  it('is found by name, by title, and by nested names', () => {
    expect(field(make(), 'place').dtype.fields?.map((one) => one.name)).toEqual(['x', 'y']);
    expect(field(make(), 'place', 'x')).toEqual(field(field(make(), 'place'), 'x'));
    expect(field(make(), 'place', 'height')).toEqual(field(make(), 'place', 'y'));
    expect(field(make(), 'mass of it')).toEqual(field(make(), 'mass'));
  });

  it('goes into the records of a sub-array', () => {
    const grid = record(24, [
      [
        'cells',
        [
          ['a', '|i1'],
          ['b', '>f4'],
          ['', '|V1'],
        ],
        [2, 2],
      ],
    ]);
    const found = field(make({ dtype: grid }), 'cells', 'b');
    expect(found).toMatchObject({ shape: [5, 2, 2], byteStrides: [24, 12, 6], pointer: 4097n });
    expect(found.dtype.byteOrder).toBe('big');
  });

  it('stays at the array’s pointer if there are no elements', () => {
    const empty = make({ shape: [0], pointer: 0n });
    expect(field(empty, 'spin')).toMatchObject({ shape: [0, 2, 3], pointer: 0n });
    const none = record(4, [
      ['a', '<i4'],
      ['b', '<f8', [0]],
    ]);
    expect(field(make({ dtype: none }), 'b')).toMatchObject({ shape: [5, 0], pointer: 4096n });
  });

  it('keeps the base if the field is whole elements from it', () => {
    const base = { pointer: 4096n - 64n, elementOffset: 2 };
    expect(field(make({ base }), 'place', 'x').base).toEqual({
      pointer: 4096n - 64n,
      elementOffset: 17,
    });
    const odd = record(5, [
      ['a', '|i1'],
      ['b', '<f4'],
    ]);
    expect(field(make({ dtype: odd, base: { ...base, pointer: 4086n } }), 'b').base).toBeNull();
  });

  it('has the mask, once for all elements of a sub-array', () => {
    const mask = makeDescriptor({ pointer: 64n, shape: [5], dtype: 'bool' });
    expect(field(make({ mask }), 'id').mask).toBe(mask);
    expect(field(make({ mask }), 'spin').mask).toMatchObject({ shape: [5, 1, 1], pointer: 64n });
    expect(field(make({ mask: view(mask, 'uint8') }), 'place', 'x').mask?.shape).toEqual([5]);
    const bits = { version: 3, shape: [5], typestr: '|t1', data: [64, false] };
    const descr = [['a', '|i1', [2]]];
    const masked = fromCudaArrayInterface({
      ...{ ...bits, typestr: '|V2', descr },
      mask: { __cuda_array_interface__: bits },
    });
    expect(field(masked, 'a').mask).toMatchObject({ shape: [5, 1], dtype: { kind: 't' } });
  });

  it('is refused if elements without bytes are beyond the last address, or too many', () => {
    const dict = { version: 3, typestr: '|V1', data: [2n ** 64n - 1n, false], shape: [1] };
    const ends = (last: unknown[]) =>
      fromCudaArrayInterface({ ...dict, descr: [['a', '|u1'], last] });
    expectRefusal(() => field(ends(['z', '|S0']), 'z'), 'ERR_OVERFLOW', 'names');
    const many = { ...dict, data: [4096, false], shape: [2 ** 30] };
    const descr = [
      ['a', '|u1'],
      ['z', '|S0', [2 ** 30]],
    ];
    const array = fromCudaArrayInterface({ ...many, descr });
    expectRefusal(() => field(array, 'z'), 'ERR_OVERFLOW', 'names');
    const none = fromCudaArrayInterface({ ...many, descr: [descr[0], ['z', '|S0']] });
    expect(field(none, 'z')).toMatchObject({ pointer: 4097n, nbytes: 0, size: 2 ** 30 });
  });

  it('says which name is missing, and which exist', () => {
    expectRefusal(() => field(make(), 'Mass'), 'ERR_ARGUMENT', 'names[0]');
    expectRefusal(() => field(make(), 'place', 'z'), 'ERR_ARGUMENT', 'names[1]');
    expectRefusal(() => field(make(), 'place', 'x', 'x'), 'ERR_ARGUMENT', 'names[2]');
    expectRefusal(() => field(make(), ''), 'ERR_ARGUMENT', 'names[0]');
    expectRefusal(() => field(make(), 5 as never), 'ERR_ARGUMENT', 'names[0]');
    expectRefusal(() => field(make(), ['id'] as never), 'ERR_ARGUMENT', 'names[0]');
    expectRefusal(() => field(make()), 'ERR_ARGUMENT', 'names');
    expectRefusal(() => field({} as never, 'id'), 'ERR_TYPE', 'array');
    expect(refusal(() => field(make(), 'z')).message).toMatch(/"id", "place", "spin", "mass"/);
    expect(refusal(() => field(make(), 'id', 'z')).message).toBe(
      '[ERR_ARGUMENT] names[1]: expected a field of <u2 (it has none), got "z"',
    );
    const names = Array.from({ length: 200 }, (_, index) => [`f${index}`, '|i1'] as const);
    const many = make({ dtype: record(200, names) });
    expect(refusal(() => field(many, 'z')).reason).toBe(
      'expected a field of |V200 (it has "f0", "f1", "f2", "f3", "f4" and 195 more), got "z"',
    );
    const wide = make({ shape: new Array(63).fill(1) });
    expectRefusal(() => field(wide, 'spin'), 'ERR_RANK_MISMATCH');
  });
});
