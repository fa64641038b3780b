import { describe, expect, it } from 'vitest';
import { replace } from '../../src/backend/index.js';
import { whoCanRead } from '../../src/compatibility/index.js';
import { describeBrand } from '../../src/descriptor/described-array.js';
import { toDLPack } from '../../src/dlpack/index.js';
import * as core from '../../src/index.js';
import { serialize } from '../../src/serialize/index.js';
import { CALLS, dtypeFor, row } from '../support/described-calls.js';
import { FakeBackend } from '../support/fake-driver.js';
import { expectRefusal } from '../support/refusal.js';

describe.each(Object.entries(CALLS))('%s', (name, [path, call]) => {
  it('takes an array of a backend as it takes its descriptor', () => {
    using array = new FakeBackend().empty([2, 3], dtypeFor(name));
    expect(call(array)).toEqual(call(array.descriptor));
    expect(call({ descriptor: array.descriptor })).toEqual(call(array.descriptor));
    expect(call(array.slice([]))).toEqual(call(array.descriptor));
    expectRefusal(() => call(new Proxy(array, {})), 'ERR_TYPE', path);
  });

  it('refuses an array that was disposed, and what is no array', () => {
    const array = new FakeBackend().empty([2, 3], dtypeFor(name));
    array[Symbol.dispose]();
    expectRefusal(() => call(array), 'ERR_DISPOSED', path);
    const hostile = {
      get descriptor(): never {
        throw new Error('none');
      },
    };
    const posing = { [describeBrand]: () => ({}) };
    for (const wrong of [{}, { descriptor: {} }, hostile, posing, call, Symbol('x')]) {
      expectRefusal(() => call(wrong as never), 'ERR_TYPE', path);
    }
  });
});

describe('an array whose own dict names a stream', () => {
  const streamed = () => {
    const array = new FakeBackend().empty([3], 'float32');
    let exports = 0;
    const exported = () => {
      exports++;
      return replace(array.descriptor, { stream: 7n });
    };
    Object.assign(array, { exported });
    return { array, exports: () => exports };
  };

  it('is written with that stream, or refused where it has no place', () => {
    const { array } = streamed();
    expect(core.toCudaArrayInterface(array).stream).toBe(7n);
    expect(core.toCudaArrayInterface(array.descriptor).stream).toBe(null);
    expect(serialize(array).stream).toBe('7');
    const refused: readonly (() => unknown)[] = [
      () => core.toCudaArrayInterface(array, { version: 2 }),
      () => core.toArrayInterface(array),
      () => core.toSyclUsmArrayInterface(array, { syclobj: 'cpu' }),
      () => toDLPack(array, { device: { type: 1, id: 0 } }),
    ];
    for (const write of refused) expectRefusal(write, 'ERR_STREAM', 'stream');
  });

  it('is written without it once it is settled, and read without it', () => {
    const { array, exports } = streamed();
    const settled = { settled: true } as const;
    expect(core.toCudaArrayInterface(array, settled)).toEqual(
      core.toCudaArrayInterface(array.descriptor),
    );
    expect(serialize(array, settled)).toEqual(serialize(array.descriptor));
    expect(core.flip(array).stream).toBe(null);
    expect(exports()).toBe(0);
    expect(whoCanRead(array)).toEqual(whoCanRead(array.descriptor));
  });
});

describe('an array whose own dict names a queue', () => {
  const queued = (protocol: core.Protocol) => {
    const backend = Object.assign(new FakeBackend(), { protocol });
    const array = backend.empty([3], 'float32');
    return Object.assign(array, { exported: () => replace(array.descriptor, { syclobj: 'gpu' }) });
  };

  it('is written with that queue, or refused where it has no place', () => {
    const array = queued('sycl');
    expect(core.toSyclUsmArrayInterface(array).syclobj).toBe('gpu');
    expect(core.toSyclUsmArrayInterface(array, { syclobj: 'cpu' }).syclobj).toBe('cpu');
    for (const write of [core.toCudaArrayInterface, core.toArrayInterface, serialize]) {
      expectRefusal(() => write(array), 'ERR_STREAM', 'array');
      expect(write(array, { settled: true })).toEqual(write(array.descriptor));
    }
    const readers = whoCanRead(array).filter(({ protocol }) => protocol === 'sycl');
    expect(readers).toEqual(
      whoCanRead(array.descriptor, { syclobj: 'gpu' }).filter((one) => one.protocol === 'sycl'),
    );
  });

  it('names none by the dict of another interface, though its memory came with one', () => {
    const array = queued('host');
    expect(core.toArrayInterface(array)).toEqual(core.toArrayInterface(array.descriptor));
    expectRefusal(() => core.toSyclUsmArrayInterface(array), 'ERR_SYCLOBJ', 'syclobj');
  });
});

describe('isBackendArray', () => {
  it('knows arrays and views, live or not, and nothing else', () => {
    const array = new FakeBackend().empty([3], 'float32');
    expect(core.isBackendArray(array)).toBe(true);
    expect(core.isBackendArray(array.flip())).toBe(true);
    const { descriptor, memory } = array;
    array[Symbol.dispose]();
    expect(core.isBackendArray(array)).toBe(true);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const others = [null, undefined, 3, 'x', {}, [], descriptor, { descriptor }, memory, row];
    for (const other of [...others, proxy, new Proxy(array, {}), new Float32Array(3)]) {
      expect(core.isBackendArray(other)).toBe(false);
    }
  });
});
