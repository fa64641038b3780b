import { describe, expect, it } from 'vitest';
import { type DescriptorInit, makeDescriptor } from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const init = (changes: object = {}): DescriptorInit => ({
  pointer: 4096n,
  shape: [2, 3],
  dtype: 'float32',
  ...changes,
});

describe('makeDescriptor', () => {
  it('fills in the rest', () => {
    expect(makeDescriptor(init())).toMatchObject({
      byteStrides: [12, 4],
      readOnly: false,
      base: null,
      stream: null,
      syclobj: null,
      mask: null,
      buffer: null,
      owner: null,
    });
  });

  it('without elements, is contiguous in both orders, whatever its strides', () => {
    const { contiguous } = makeDescriptor(init({ shape: [2, 0], byteStrides: [100, 7] }));
    expect(contiguous).toEqual({ c: true, f: true });
  });

  it('keeps what it is given', () => {
    const owner = {};
    const mask = makeDescriptor(init({ dtype: 'bool', shape: [3] }));
    const array = makeDescriptor(
      init({ pointer: 4104, byteStrides: [4, 8], readOnly: true, stream: 7n, mask, owner }),
    );
    expect(array).toMatchObject({
      pointer: 4104n,
      byteStrides: [4, 8],
      readOnly: true,
      stream: 7n,
    });
    expect(array.mask).toBe(mask);
    expect(array.owner).toBe(owner);
    const base = { pointer: 4096n, elementOffset: 2 };
    expect(makeDescriptor(init({ pointer: 4104n, base })).base).toEqual(base);
  });

  it.each([
    [{ pointer: 0n }, 'ERR_NULL_POINTER', 'pointer'],
    [{ pointer: -1n }, 'ERR_POINTER_RANGE', 'pointer'],
    [{ pointer: 1.5 }, 'ERR_TYPE', 'pointer'],
    [{ pointer: null }, 'ERR_TYPE', 'pointer'],
    [{ pointer: 2n ** 64n - 8n }, 'ERR_OVERFLOW', 'pointer'],
    [{ shape: [2, -1] }, 'ERR_NEGATIVE_DIMENSION', 'shape[1]'],
    [{ shape: 6 }, 'ERR_TYPE', 'shape'],
    [{ shape: [2 ** 53] }, 'ERR_TYPE', 'shape[0]'],
    [{ dtype: 'float' }, 'ERR_TYPESTR', 'dtype'],
    [{ byteStrides: [4] }, 'ERR_RANK_MISMATCH', 'byteStrides'],
    [{ byteStrides: [4, 'x'] }, 'ERR_TYPE', 'byteStrides[1]'],
    [{ readOnly: 1 }, 'ERR_TYPE', 'readOnly'],
    [{ stream: 0n }, 'ERR_STREAM', 'stream'],
    [{ mask: {} }, 'ERR_TYPE', 'mask'],
    [{ base: { pointer: 4096n, elementOffset: 1 } }, 'ERR_ARGUMENT', 'base'],
    [{ base: { pointer: 0n, elementOffset: 1024 } }, 'ERR_NULL_POINTER', 'base.pointer'],
    [{ syclobj: 'nonsense' }, 'ERR_SYCLOBJ', 'syclobj'],
    [{ syclobj: 5 }, 'ERR_TYPE', 'syclobj'],
    [{ buffer: new Uint8Array(64) }, 'ERR_TYPE', 'buffer'],
    [{ buffer: new ArrayBuffer(64) }, 'ERR_OUT_OF_BOUNDS', 'pointer'],
  ] as const)('refuses %o', (changes, code, path) => {
    expectRefusal(() => makeDescriptor(init(changes)), code, path);
  });

  it('names keys that are unknown or cannot be read', () => {
    const many = init({ shape: [2 ** 40, 2 ** 40] });
    expectRefusal(() => makeDescriptor(many), 'ERR_OVERFLOW', 'shape');
    const far = init({ byteStrides: [2 ** 52, 2 ** 52], shape: [3, 3] });
    expectRefusal(() => makeDescriptor(far), 'ERR_OVERFLOW', 'byteStrides');
    const throwing = new Proxy(init(), {
      get() {
        throw new Error('mine');
      },
    });
    expectRefusal(() => makeDescriptor(throwing), 'ERR_TYPE', 'init');
    expectRefusal(() => makeDescriptor(null as never), 'ERR_TYPE', 'init');
    expectRefusal(() => makeDescriptor(init({ base: 5 })), 'ERR_TYPE', 'base.pointer');
  });

  it('may reach down to the first address after 0', () => {
    const array = makeDescriptor(init({ pointer: 5n, shape: [2], byteStrides: [-4] }));
    const lower = init({ pointer: 4n, shape: [2], byteStrides: [-4] });
    expectRefusal(() => makeDescriptor(lower), 'ERR_OVERFLOW', 'pointer');
    expect(array.extent).toEqual([-4, 4]);
  });

  it('keeps its bounds if somebody writes to their list', () => {
    const array = makeDescriptor(init({ pointer: 8n, shape: [2], byteStrides: [-4] }));
    (array.extent as [number, number])[1] = 2 ** 40;
    expect(array.extent).toEqual([-4, 4]);
  });

  it('shows its size and extent through a proxy', () => {
    const array = makeDescriptor(init({ pointer: 8n, shape: [2], byteStrides: [-4] }));
    const { size, nbytes, extent } = new Proxy(array, {});
    expect({ size, nbytes, extent }).toEqual({ size: 2, nbytes: 8, extent: [-4, 4] });
  });

  it('has axes of any length if another is empty', () => {
    const shape = [...new Array(25).fill(2 ** 53 - 1), 0];
    expect(makeDescriptor(init({ shape }))).toMatchObject({ size: 0, nbytes: 0, extent: [0, 0] });
  });

  it('refuses a mask that does not broadcast', () => {
    const mask = makeDescriptor(init({ shape: [2] }));
    expectRefusal(() => makeDescriptor(init({ mask })), 'ERR_MASK', 'mask.shape');
  });

  it('may be at the start of a buffer, and fill it', () => {
    const buffer = new ArrayBuffer(24);
    expect(makeDescriptor(init({ pointer: 0, buffer })).extent).toEqual([0, 24]);
    expectRefusal(
      () => makeDescriptor(init({ pointer: 1, buffer })),
      'ERR_OUT_OF_BOUNDS',
      'pointer',
    );
  });
});
