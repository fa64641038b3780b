import { describe, expect, it } from 'vitest';
import {
  makeDescriptor,
  fromProducer as show,
  toArrayInterface as write,
} from '../../src/index.js';
import { expectRefusal } from '../support/refusal.js';

const make = (changes: object = {}) =>
  makeDescriptor({ pointer: 4096n, shape: [2, 3], dtype: '>f4', ...changes });

describe('toArrayInterface', () => {
  it('writes an address as a pair', () => {
    expect(write(make({ byteStrides: [-12, 4], readOnly: true }))).toEqual({
      shape: [2, 3],
      typestr: '>f4',
      data: [4096n, true],
      strides: [-12, 4],
      version: 3,
    });
  });

  it('writes JavaScript memory as itself', () => {
    const memory = new Float64Array(new ArrayBuffer(64), 16, 4);
    const dict = write(show(memory));
    expect(dict).toMatchObject({ offset: 16, strides: null, typestr: '<f8' });
    expect(dict.data).toBe(memory.buffer);
    const fixed = show(memory, { readOnly: true });
    expectRefusal(() => write(fixed), 'ERR_READ_ONLY', 'data');
  });

  it('refuses pending work, also of the mask', () => {
    expectRefusal(() => write(make({ stream: 1n })), 'ERR_STREAM', 'stream');
    expectRefusal(() => write(make({ mask: make({ stream: 1n }) })), 'ERR_STREAM', 'mask.stream');
  });

  it('leaves out the streams that the caller has waited for, and nothing else', () => {
    const busy = make({ stream: 1n, mask: make({ stream: 9n }) });
    expect(write(busy, { settled: true })).toEqual(write(make({ mask: make() })));
    expectRefusal(() => write(busy, { settled: false }), 'ERR_STREAM', 'stream');
    expectRefusal(() => write(busy, { settled: 'yes' as never }), 'ERR_ARGUMENT', 'settled');
    expectRefusal(() => write(busy, { setled: true } as never), 'ERR_ARGUMENT', 'setled');
  });

  it('includes a mask and fields', () => {
    const mask = make({ dtype: 'bool', shape: [3] });
    expect(write(make({ mask })).mask).toEqual({ __array_interface__: write(mask) });
    expect(write(make({ dtype: '|V8' }))).not.toHaveProperty('descr');
  });
});
