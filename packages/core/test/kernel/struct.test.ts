import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dtype } from '../../src/index.js';
import { checkStruct, decodeStruct, encodeStruct } from '../../src/kernel/struct.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const PAIR = dtype([
  ['id', 'uint8'],
  ['', '|V3'],
  ['at', 'float32', [2, 2]],
  ['flag', 'bool'],
  ['', '|V7'],
  [
    'inner',
    [
      ['n', 'int64'],
      ['h', 'float16'],
      ['', '|V6'],
    ],
    [2],
  ],
]);
const inner = (n: bigint, h: number) => ({ n, h });
const VALUE = {
  id: 7,
  at: [
    [1, 2],
    [3, 4],
  ],
  flag: true,
  inner: [inner(-1n, 0.5), inner(2n ** 62n, -65504)],
};
const changed = (change: object) => ({ ...VALUE, ...change });

describe('a struct by value', () => {
  test('has each field at its offset, and zeros between them', () => {
    const bytes = encodeStruct(PAIR, VALUE, 's');
    const view = new DataView(bytes.buffer);
    expect(bytes.byteLength).toBe(PAIR.itemsize);
    expect([view.getUint8(0), view.getUint8(1), view.getUint8(20)]).toEqual([7, 0, 1]);
    expect([4, 8, 12, 16].map((at) => view.getFloat32(at, true))).toEqual([1, 2, 3, 4]);
    expect([view.getBigInt64(28, true), view.getUint16(36, true)]).toEqual([-1n, 0x3800]);
    expect(decodeStruct(view, 0, PAIR)).toEqual(VALUE);
  });

  test('takes typed arrays for lists, and numbers for 64-bit integers', () => {
    const given = changed({
      at: [Float32Array.of(1, 2), Float64Array.of(3, 4)],
      inner: [{ n: -1, h: 0.5 }, inner(2n ** 62n, -65504)],
    });
    expect(encodeStruct(PAIR, given, 's')).toEqual(encodeStruct(PAIR, VALUE, 's'));
  });

  test.each<[string, unknown, string, string]>([
    ['s', null, 'ERR_TYPE', 'an object with id, at, flag, inner, got null'],
    ['s', [1], 'ERR_TYPE', 'an object with id, at, flag, inner'],
    ['s.id', changed({ id: undefined }), 'ERR_ARGUMENT', 'a value for each of id, at, flag, inner'],
    ['s.id', changed({ id: 256 }), 'ERR_OVERFLOW', 'uint8'],
    ['s.id', changed({ id: '7' }), 'ERR_TYPE', 'an integer'],
    ['s.more', changed({ more: 1 }), 'ERR_ARGUMENT', 'one of the fields id, at, flag, inner'],
    ['s.flag', changed({ flag: 1 }), 'ERR_TYPE', 'true or false'],
    ['s.at', changed({ at: [[1, 2]] }), 'ERR_ARGUMENT', 'a list of 2, got one of 1'],
    ['s.at[1]', changed({ at: [[1, 2], 3] }), 'ERR_TYPE', 'a list of 2'],
    [
      's.at[1][0]',
      changed({
        at: [
          [1, 2],
          ['3', 4],
        ],
      }),
      'ERR_TYPE',
      'a number',
    ],
    ['s.inner[0].n', changed({ inner: [{ h: 1 }, inner(1n, 1)] }), 'ERR_ARGUMENT', 'n, h'],
    [
      's.inner[1].n',
      changed({ inner: [inner(1n, 1), inner(2n ** 63n, 1)] }),
      'ERR_OVERFLOW',
      'int64',
    ],
  ])('is refused at %s', (path, value, code, words) => {
    const error = refusal(() => encodeStruct(PAIR, value, 's'));
    expect(error).toMatchObject({ code, path });
    expect(error.message).toContain(words);
  });

  test.each<[string, (list: unknown[]) => object]>([
    ['s.at', (list) => changed({ at: list })],
    ['s.at[0]', (list) => changed({ at: [list, [3, 4]] })],
    ['s.at[1]', (list) => changed({ at: [[1, 2], list] })],
    ['s.inner', (list) => changed({ inner: list })],
  ])('has exactly as many entries as its field at %s', (path, given) => {
    const entry = path === 's.inner' ? inner(1n, 1) : path === 's.at' ? [1, 2] : 1;
    const isTyped = typeof entry === 'number';
    for (const count of [0, 1, 2, 3, 4]) {
      const list = Array.from({ length: count }, () => entry);
      for (const one of isTyped ? [list, Float32Array.from(list as number[])] : [list]) {
        const encode = () => encodeStruct(PAIR, given(one as unknown[]), 's');
        if (count === 2) expect(encode().length).toBe(PAIR.itemsize);
        else expectRefusal(encode, 'ERR_ARGUMENT', path);
      }
    }
  });

  test('reads a getter once, and reports one that throws', () => {
    let times = 0;
    const object = Object.defineProperty(changed({}), 'id', {
      enumerable: true,
      get: () => ++times,
    });
    expect(encodeStruct(PAIR, object, 's')[0]).toBe(1);
    expect(times).toBe(1);
    const throwing = new Proxy(VALUE, {
      ownKeys() {
        throw new Error('on purpose');
      },
    });
    expectRefusal(() => encodeStruct(PAIR, throwing, 's'), 'ERR_ARGUMENT', 's');
  });

  test.each([
    ['float32', 'ERR_ARGUMENT', 's'],
    [[['x', '>f4']], 'ERR_ARGUMENT', 's.x'],
    [[['x', '<c8']], 'ERR_ARGUMENT', 's.x'],
    [[['x', '|S4']], 'ERR_ARGUMENT', 's.x'],
    [[['x', [['y', '<M8[s]']]]], 'ERR_ARGUMENT', 's.x.y'],
    [[['x', 'uint8', [4097]]], 'ERR_OVERFLOW', 's'],
  ] as const)('cannot be %j', (like, code, path) => {
    expectRefusal(() => checkStruct(dtype(like as never), 's'), code, path);
  });

  test('comes back as it went in', () => {
    const number = {
      int8: fc.integer({ min: -128, max: 127 }),
      uint16: fc.integer({ min: 0, max: 65535 }),
      int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      float32: fc.float({ noNaN: true }),
      float64: fc.double({ noNaN: true }),
      bool: fc.boolean(),
    };
    const types = Object.keys(number) as (keyof typeof number)[];
    const field = fc
      .tuple(fc.constantFrom(...types), fc.integer({ min: 0, max: 3 }))
      .chain(([type, length]) => {
        const one: fc.Arbitrary<unknown> = number[type];
        const list = fc.array(one, { minLength: length, maxLength: length });
        return fc.record({
          type: fc.constant(type),
          length: fc.constant(length),
          value: length === 0 ? one : list,
        });
      });
    const property = fc.property(fc.array(field, { minLength: 1, maxLength: 6 }), (fields) => {
      const like = dtype(
        fields.map(({ type, length }, i) =>
          length === 0 ? [`f${i}`, type] : [`f${i}`, type, [length]],
        ),
      );
      const value = Object.fromEntries(fields.map((one, i) => [`f${i}`, one.value]));
      const bytes = encodeStruct(like, value, 's');
      expect(decodeStruct(new DataView(bytes.buffer), 0, like)).toEqual(value);
    });
    fc.assert(property, random(100));
  });
});
