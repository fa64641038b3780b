import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ArrayDescriptor,
  fromPlain,
  isArrayInterfaceError,
  makeDescriptor,
  type PlainDescriptor,
  type PlainReadOptions,
  toPlain,
} from '../../src/index.js';
import { descriptors } from '../descriptors.js';
import { expectRefusal } from '../refusal.js';

/** Descriptors that may travel. */
const movable = descriptors.filter(({ stream }) => stream !== 2n);

const left = (array: ArrayDescriptor): PlainReadOptions => ({
  ...(array.buffer === null ? {} : { buffer: array.buffer }),
  ...(array.syclobj === null ? {} : { syclobj: 'cpu' }),
});

const plain = (changes: object = {}): PlainDescriptor => {
  const array = makeDescriptor({ pointer: 2n ** 63n, shape: [2, 3], dtype: '<f4', stream: 7n });
  return { ...toPlain(array), ...changes };
};

const POINT = {
  typestr: '|V4',
  descr: [
    ['x', '<i2'],
    ['y', '<i2'],
  ],
};

describe('toPlain', () => {
  it('keeps all but owner, buffer and queue, through JSON and structuredClone', () => {
    fc.assert(
      fc.property(movable, (array) => {
        const data = toPlain(array);
        const travelled = [JSON.parse(JSON.stringify(data)), structuredClone(data)];
        expect(travelled).toEqual([data, data]);
        for (const one of travelled) expect(fromPlain(one, left(array))).toEqual(array);
        expect(toPlain(fromPlain(data, left(array)))).toEqual(data);
      }),
      random(1000),
    );
  });

  it('writes plain values', () => {
    const mask = makeDescriptor({ pointer: 64n, shape: [3], dtype: 'bool' });
    const base = { pointer: 4096n, elementOffset: 2 };
    const owner = {};
    const array = makeDescriptor({
      ...{ pointer: 4100n, shape: [2, 3], dtype: 'bfloat16', readOnly: true, stream: 1n },
      ...{ mask, base, owner, syclobj: 'cpu' },
    });
    expect(toPlain(array)).toEqual({
      version: 1,
      pointer: '4100',
      inBuffer: false,
      shape: [2, 3],
      byteStrides: [6, 2],
      typestr: '|V2',
      name: 'bfloat16',
      readOnly: true,
      base: { pointer: '4096', elementOffset: 2 },
      stream: '1',
      mask: toPlain(mask),
    });
    const again = fromPlain(toPlain(array));
    expect([again.owner, again.syclobj]).toEqual([null, null]);
    expect(again).toEqual(array.with({ owner: null, syclobj: null }));
  });

  it("refuses this thread's own default stream, of the mask too", () => {
    const array = (stream: bigint | null) =>
      makeDescriptor({ pointer: 64n, shape: [3], dtype: 'bool', stream });
    expectRefusal(() => toPlain(array(2n)), 'ERR_STREAM', 'stream');
    const masked = array(null).with({ mask: array(2n) });
    expectRefusal(() => toPlain(masked), 'ERR_STREAM', 'mask.stream');
    expectRefusal(() => toPlain({} as never), 'ERR_TYPE', 'array');
  });
});

describe('fromPlain', () => {
  it('takes again what was left behind', () => {
    const buffer = new ArrayBuffer(64);
    const inside = (dtype: string) => makeDescriptor({ pointer: 8, shape: [3], dtype, buffer });
    const data = toPlain(inside('float32').with({ mask: inside('bool') }));
    const [owner, maskOwner, other] = [{}, {}, new SharedArrayBuffer(64)];
    const both = fromPlain(data, { owner, buffer, syclobj: 'cpu' });
    expect([both.owner, both.buffer, both.syclobj]).toEqual([owner, buffer, 'cpu']);
    expect([both.mask?.owner, both.mask?.buffer]).toEqual([owner, buffer]);
    const each = fromPlain(data, { owner, buffer, mask: { owner: maskOwner, buffer: other } });
    expect(each.mask?.owner).toBe(maskOwner);
    expect(each.mask?.buffer).toBe(other);
    expectRefusal(() => fromPlain(data), 'ERR_POINTER_UNKNOWN', 'inBuffer');
    const short = { buffer: new ArrayBuffer(19) };
    expectRefusal(() => fromPlain(data, short), 'ERR_OUT_OF_BOUNDS', 'pointer');
    const apart = { buffer, mask: {} };
    expectRefusal(() => fromPlain(data, apart), 'ERR_POINTER_UNKNOWN', 'mask.inBuffer');
    const view = { buffer: new Uint8Array(64) as never };
    expectRefusal(() => fromPlain(data, view), 'ERR_TYPE', 'buffer');
  });

  it.each([
    [{ version: 2 }, 'ERR_VERSION', 'version'],
    [{ version: undefined }, 'ERR_MISSING_KEY', 'version'],
    [{ pointer: 4096 }, 'ERR_TYPE', 'pointer'],
    [{ pointer: '0x1000' }, 'ERR_TYPE', 'pointer'],
    [{ pointer: '-1' }, 'ERR_TYPE', 'pointer'],
    [{ pointer: '' }, 'ERR_TYPE', 'pointer'],
    [{ pointer: '18446744073709551616' }, 'ERR_POINTER_RANGE', 'pointer'],
    [{ pointer: '18446744073709551615' }, 'ERR_OVERFLOW', 'pointer'],
    [{ pointer: '0' }, 'ERR_NULL_POINTER', 'pointer'],
    [{ inBuffer: 0 }, 'ERR_TYPE', 'inBuffer'],
    [{ shape: [2, -3] }, 'ERR_NEGATIVE_DIMENSION', 'shape[1]'],
    [{ shape: '23' }, 'ERR_TYPE', 'shape'],
    [{ byteStrides: [4] }, 'ERR_RANK_MISMATCH', 'byteStrides'],
    [{ byteStrides: undefined }, 'ERR_MISSING_KEY', 'byteStrides'],
    [{ typestr: 'f4' }, 'ERR_TYPESTR', 'typestr'],
    [{ typestr: '|t1' }, 'ERR_DTYPE_UNSUPPORTED', 'typestr'],
    [{ descr: [['x', '<f4']] }, 'ERR_DESCR', 'descr'],
    [{ name: 'bfloat16' }, 'ERR_DTYPE_UNSUPPORTED', 'name'],
    [{ name: 'float32' }, 'ERR_DTYPE_UNSUPPORTED', 'name'],
    [{ ...POINT, name: 'complex32' }, 'ERR_DTYPE_UNSUPPORTED', 'name'],
    [POINT, 'ok', null],
    [{ name: null }, 'ERR_TYPE', 'name'],
    [{ readOnly: 'no' }, 'ERR_TYPE', 'readOnly'],
    [{ stream: 7 }, 'ERR_TYPE', 'stream'],
    [{ stream: '0' }, 'ERR_STREAM', 'stream'],
    [{ base: { pointer: '1', elementOffset: 0 } }, 'ERR_ARGUMENT', 'base'],
    [{ base: { pointer: 1, elementOffset: 0 } }, 'ERR_TYPE', 'base.pointer'],
    [{ base: [] }, 'ERR_TYPE', 'base'],
    [{ base: { pointer: '1', elementOffset: '0' } }, 'ERR_TYPE', 'base.elementOffset'],
    [{ shape: [2 ** 40, 2 ** 40] }, 'ERR_OVERFLOW', 'shape'],
    [{ shape: [3, 3], byteStrides: [2 ** 52, 2 ** 52] }, 'ERR_OVERFLOW', 'byteStrides'],
    [{ mask: {} }, 'ERR_MISSING_KEY', 'mask.version'],
    [{ mask: 5 }, 'ERR_TYPE', 'mask'],
  ] as const)('reads %o as it should', (changes, code, path) => {
    if (code === 'ok') expect(fromPlain(plain(changes)).pointer).toBe(2n ** 63n);
    else expectRefusal(() => fromPlain(plain(changes)), code, path);
  });

  it('refuses a number of a million digits', () => {
    const act = () => fromPlain(plain({ pointer: '1'.repeat(10 ** 6) }));
    expectRefusal(act, 'ERR_TYPE', 'pointer');
  });

  it('reads the mask likewise', () => {
    expect(fromPlain(plain({ mask: plain() })).mask).toEqual(fromPlain(plain()));
    const masks = [
      [{ shape: [3], byteStrides: [4], pointer: 1 }, 'ERR_TYPE', 'mask.pointer'],
      [{ shape: [2], byteStrides: [4] }, 'ERR_MASK', 'mask.shape'],
      [{ mask: plain() }, 'ERR_MASK', 'mask.mask'],
    ] as const;
    for (const [changes, code, path] of masks) {
      expectRefusal(() => fromPlain(plain({ mask: plain(changes) })), code, path);
    }
  });

  it.each([null, undefined, 5, 'data', []])('refuses %o', (data) => {
    expectRefusal(() => fromPlain(data), 'ERR_TYPE', 'data');
  });

  it('checks the queue that it is given', () => {
    expectRefusal(() => fromPlain(plain(), { syclobj: 'xpu' }), 'ERR_SYCLOBJ', 'syclobj');
    expectRefusal(() => fromPlain(plain(), { syclobj: null as never }), 'ERR_TYPE', 'syclobj');
  });

  it('reads or refuses whatever comes', () => {
    fc.assert(
      fc.property(movable, fc.string(), fc.anything(), fc.nat(), (array, key, value, index) => {
        const data = toPlain(array);
        const keys = Object.keys(data);
        const forged = {
          ...data,
          [index % 3 ? (keys[index % keys.length] as string) : key]: value,
        };
        try {
          fromPlain(forged, left(array));
        } catch (error) {
          if (!isArrayInterfaceError(error)) throw error;
        }
      }),
      random(1000),
    );
  });
});
