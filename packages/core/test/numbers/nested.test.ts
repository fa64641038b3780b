import { describe, expect, it } from 'vitest';
import { relativeLayout } from '../../src/descriptor/relative-layout.js';
import { type DTypeLike, dtype } from '../../src/index.js';
import { nested } from '../../src/numbers/nested.js';
import { expectRefusal } from '../support/refusal.js';

const lists = (like: DTypeLike, shape: readonly number[], bytes: ArrayBufferView) =>
  nested(relativeLayout(shape, dtype(like), null, bytes.buffer));

// The contract reads elements of each kind.
describe('nested lists', () => {
  it('of records have own properties of any name', () => {
    const [record] = lists(
      [
        ['__proto__', '|u1'],
        ['constructor', '|u1'],
      ],
      [1],
      Uint8Array.of(1, 2),
    ) as [object];
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(Object.entries(record)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });

  it('of text with what is no character', () => {
    expect(lists('<U2', [1], Uint32Array.of(0x110000, 0))).toEqual(['\ufffd']);
    expect(lists('>U1', [1], Uint8Array.of(0, 0, 0, 65))).toEqual(['A']);
  });

  it('of bytes are copies', () => {
    const bytes = Uint8Array.of(1, 2);
    const [element] = lists('|V2', [1], bytes) as [Uint8Array];
    bytes[0] = 9;
    expect(element).toEqual(Uint8Array.of(1, 2));
  });

  it('refuse what JavaScript has no values for, and endless empty lists', () => {
    for (const like of ['<f16', '<c32', 'float4_e2m1fn_x2']) {
      const type = dtype(like);
      expectRefusal(() => lists(type, [1], new Uint8Array(type.itemsize)), 'ERR_DTYPE_UNSUPPORTED');
    }
    expectRefusal(() => lists('int8', [2 ** 40, 0], new Uint8Array(0)), 'ERR_OUT_OF_MEMORY');
    expectRefusal(
      () => lists('int8', [2 ** 13, 2 ** 13, 0], new Uint8Array(0)),
      'ERR_OUT_OF_MEMORY',
    );
    expect(lists('int8', [0, 2 ** 40], new Uint8Array(0))).toEqual([]);
  });
});
