import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replace } from '../../src/descriptor/descriptor.js';
import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type DTypeText,
  isArrayInterfaceError,
  makeDescriptor,
} from '../../src/index.js';
import {
  type DeserializeOptions,
  deserialize,
  type SerializedDescriptor,
  serialize,
} from '../../src/serialize/index.js';
import { descriptors } from '../support/descriptors.js';
import { expectRefusal } from '../support/refusal.js';

/** Descriptors that may travel. */
const movable = descriptors.filter(({ stream }) => stream !== 2n);

const left = (array: ArrayDescriptor): DeserializeOptions => ({
  ...(array.buffer === null ? {} : { buffer: array.buffer }),
  ...(array.syclobj === null ? {} : { syclobj: 'cpu' }),
});

const plain = (changes: object = {}): SerializedDescriptor => {
  const array = makeDescriptor({ pointer: 2n ** 63n, shape: [2, 3], dtype: '<f4', stream: 7n });
  return { ...serialize(array), ...changes };
};

const POINT = {
  typestr: '|V4',
  descr: [
    ['x', '<i2'],
    ['y', '<i2'],
  ],
};

describe('serialize', () => {
  it('keeps all but owner, buffer and queue, through JSON and structuredClone', () => {
    fc.assert(
      fc.property(movable, (array) => {
        const data = serialize(array);
        const travelled = [JSON.parse(JSON.stringify(data)), structuredClone(data)];
        expect(travelled).toEqual([data, data]);
        for (const one of travelled) expect(deserialize(one, left(array))).toEqual(array);
        expect(serialize(deserialize(data, left(array)))).toEqual(data);
      }),
      random(1000),
    );
  });

  it('takes an array of a backend by its descriptor', () => {
    const descriptor = makeDescriptor({ pointer: 64n, shape: [3], dtype: '<f4' });
    expect(serialize({ descriptor })).toEqual(serialize(descriptor));
    const disposed = {
      get descriptor(): ArrayDescriptor {
        throw new ArrayInterfaceError('ERR_DISPOSED', 'array', 'expected a live array, got none');
      },
    };
    expectRefusal(() => serialize(disposed), 'ERR_DISPOSED', 'array');
    for (const value of [null, 3, {}, { descriptor: {} }]) {
      expectRefusal(() => serialize(value as never), 'ERR_TYPE', 'array');
    }
  });

  it('writes plain values', () => {
    const mask = makeDescriptor({ pointer: 64n, shape: [3], dtype: 'bool' });
    const base = { pointer: 4096n, elementOffset: 2 };
    const owner = {};
    const array = makeDescriptor({
      ...{ pointer: 4100n, shape: [2, 3], dtype: 'bfloat16', readOnly: true, stream: 1n },
      ...{ mask, base, owner, syclobj: 'cpu' },
    });
    expect(serialize(array)).toEqual({
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
      mask: serialize(mask),
    });
    const again = deserialize(serialize(array));
    expect([again.owner, again.syclobj]).toEqual([null, null]);
    expect(again).toEqual(replace(array, { owner: null, syclobj: null }));
  });

  it("refuses this thread's own default stream, also of the mask", () => {
    const array = (stream: bigint | null) =>
      makeDescriptor({ pointer: 64n, shape: [3], dtype: 'bool', stream });
    expectRefusal(() => serialize(array(2n)), 'ERR_STREAM', 'stream');
    const masked = replace(array(null), { mask: array(2n) });
    expectRefusal(() => serialize(masked), 'ERR_STREAM', 'mask.stream');
    expect(serialize(masked, { settled: true })).toMatchObject({
      stream: null,
      mask: { stream: null },
    });
    expectRefusal(() => serialize(masked, { settled: 0 as never }), 'ERR_ARGUMENT', 'settled');
    expectRefusal(() => serialize({} as never), 'ERR_TYPE', 'array');
  });
});

describe('deserialize', () => {
  it('takes back what serialize left out', () => {
    const buffer = new ArrayBuffer(64);
    const inside = (dtype: DTypeText) => makeDescriptor({ pointer: 8, shape: [3], dtype, buffer });
    const data = serialize(replace(inside('float32'), { mask: inside('bool') }));
    const [owner, maskOwner, other] = [{}, {}, new SharedArrayBuffer(64)];
    const both = deserialize(data, { owner, buffer, syclobj: 'cpu' });
    expect([both.owner, both.buffer, both.syclobj]).toEqual([owner, buffer, 'cpu']);
    expect([both.mask?.owner, both.mask?.buffer]).toEqual([owner, buffer]);
    const each = deserialize(data, { owner, buffer, mask: { owner: maskOwner, buffer: other } });
    expect(each.mask?.owner).toBe(maskOwner);
    expect(each.mask?.buffer).toBe(other);
    expectRefusal(() => deserialize(data), 'ERR_POINTER_UNKNOWN', 'inBuffer');
    const short = { buffer: new ArrayBuffer(19) };
    expectRefusal(() => deserialize(data, short), 'ERR_OUT_OF_BOUNDS', 'pointer');
    const apart = { buffer, mask: {} };
    expectRefusal(() => deserialize(data, apart), 'ERR_POINTER_UNKNOWN', 'mask.inBuffer');
    const view = { buffer: new Uint8Array(64) as never };
    expectRefusal(() => deserialize(data, view), 'ERR_TYPE', 'buffer');
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
    if (code === 'ok') expect(deserialize(plain(changes)).pointer).toBe(2n ** 63n);
    else expectRefusal(() => deserialize(plain(changes)), code, path);
  });

  it('refuses a number of a million digits', () => {
    const act = () => deserialize(plain({ pointer: '1'.repeat(10 ** 6) }));
    expectRefusal(act, 'ERR_TYPE', 'pointer');
  });

  it('reads the mask in the same way', () => {
    expect(deserialize(plain({ mask: plain() })).mask).toEqual(deserialize(plain()));
    const masks = [
      [{ shape: [3], byteStrides: [4], pointer: 1 }, 'ERR_TYPE', 'mask.pointer'],
      [{ shape: [2], byteStrides: [4] }, 'ERR_MASK', 'mask.shape'],
      [{ mask: plain() }, 'ERR_MASK', 'mask.mask'],
    ] as const;
    for (const [changes, code, path] of masks) {
      expectRefusal(() => deserialize(plain({ mask: plain(changes) })), code, path);
    }
  });

  it.each([null, undefined, 5, 'data', []])('refuses %o', (data) => {
    expectRefusal(() => deserialize(data), 'ERR_TYPE', 'data');
  });

  it('checks the queue that it is given', () => {
    expectRefusal(() => deserialize(plain(), { syclobj: 'xpu' }), 'ERR_SYCLOBJ', 'syclobj');
    expectRefusal(() => deserialize(plain(), { syclobj: null as never }), 'ERR_TYPE', 'syclobj');
  });

  it('reads or refuses anything', () => {
    fc.assert(
      fc.property(movable, fc.string(), fc.anything(), fc.nat(), (array, key, value, index) => {
        const data = serialize(array);
        const keys = Object.keys(data);
        const forged = {
          ...data,
          [index % 3 ? (keys[index % keys.length] as string) : key]: value,
        };
        try {
          deserialize(forged, left(array));
        } catch (error) {
          if (!isArrayInterfaceError(error)) throw error;
        }
      }),
      random(1000),
    );
  });
});
