import { describe, expect, it } from 'vitest';
import {
  ArrayInterfaceError,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  isArrayDescriptor,
  protocols,
  fromProducer as show,
  toCudaArrayInterface,
} from '../../src/index.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const cuda = (changes: object = {}) => ({
  __cuda_array_interface__: {
    shape: [4],
    typestr: '<f4',
    data: [4096, false],
    version: 3,
    ...changes,
  },
});
const sycl = () => ({
  __sycl_usm_array_interface__: {
    ...{ shape: [4], typestr: '|f4', data: [4096, true], version: 1, syclobj: 'cpu' },
  },
});
const host = () => ({
  __array_interface__: { shape: [4], typestr: '<f4', data: [4096, false], version: 3 },
});

describe('a protocol that core does not know', () => {
  const { read, write } = protocols.host;
  const own = { attribute: '__own_array_interface__', read, write } as const;
  const producer = () => ({ __own_array_interface__: host().__array_interface__, ...cuda() });

  it('is read if it is named, and only then', () => {
    const made = producer();
    expect(show(made, { protocol: own })).toMatchObject({
      pointer: 4096n,
      shape: [4],
      owner: made,
    });
    expect(show(made, { protocol: own, readOnly: true }).readOnly).toBe(true);
    expect(show(made).owner).toBe(made); // by CUDA's attribute
    expectRefusal(() => show({ __own_array_interface__: {} }), 'ERR_NO_INTERFACE');
  });

  it('is named in errors', () => {
    const missing = refusal(() => show(cuda(), { protocol: own }));
    expect(missing.message).toContain('an object with __own_array_interface__');
    for (const wrong of [{}, null, { attribute: 1, read }, { attribute: 'a' }, 'metal']) {
      expectRefusal(() => show(producer(), { protocol: wrong as never }), 'ERR_ARGUMENT');
    }
  });
});

describe('describe', () => {
  it('finds each of the three attributes and keeps the producer', () => {
    for (const producer of [cuda(), sycl(), host()]) {
      expect(show(producer)).toMatchObject({ pointer: 4096n, shape: [4] });
      expect(show(producer).owner).toBe(producer);
    }
    expect(show(sycl()).syclobj).toBe('cpu');
  });

  it('finds them on prototypes, functions and proxies', () => {
    class Producer {
      get __cuda_array_interface__() {
        return cuda().__cuda_array_interface__;
      }
    }
    expect(show(new Producer()).pointer).toBe(4096n);
    expect(show(Object.assign(() => 0, cuda())).pointer).toBe(4096n);
    expect(show(new Proxy(new Producer(), {})).pointer).toBe(4096n);
  });

  it('reads the attribute once, and no other', () => {
    let reads = 0;
    const producer = {
      get __cuda_array_interface__() {
        reads++;
        return cuda().__cuda_array_interface__;
      },
      get __array_interface__(): object {
        throw new Error('not asked for');
      },
    };
    show(producer, { protocol: 'cuda' });
    expect(reads).toBe(1);
  });

  it('requires exactly one, or a name', () => {
    const both = { ...cuda(), ...sycl() };
    expectRefusal(() => show({}), 'ERR_NO_INTERFACE');
    expectRefusal(() => show([1, 2]), 'ERR_NO_INTERFACE');
    expectRefusal(() => show({ __cuda_array_interface__: undefined }), 'ERR_NO_INTERFACE');
    expectRefusal(() => show(both), 'ERR_NO_INTERFACE');
    expectRefusal(() => show(cuda(), { protocol: 'host' }), 'ERR_NO_INTERFACE');
    expectRefusal(
      () => show(cuda(), { protocol: 'toString' as never }),
      'ERR_ARGUMENT',
      'protocol',
    );
    expect(show(both, { protocol: 'sycl' }).readOnly).toBe(true);
    for (const value of [null, undefined, 1, 'x', 1n]) expectRefusal(() => show(value), 'ERR_TYPE');
  });

  it('names the attribute that is not a dict', () => {
    for (const value of [null, 1, [], 'x']) {
      const path = '__cuda_array_interface__';
      expectRefusal(() => show({ __cuda_array_interface__: value }), 'ERR_TYPE', path);
    }
  });

  it('passes on the error of a getter', () => {
    const failing = (fault: Error) => ({
      get __cuda_array_interface__(): object {
        throw fault;
      },
    });
    const fault = new Error('gone');
    expectRefusal(() => show(failing(fault)), 'ERR_NO_INTERFACE', '__cuda_array_interface__');
    expect(refusal(() => show(failing(fault))).cause).toBe(fault);
    const ours = new ArrayInterfaceError(
      'ERR_DISPOSED',
      'array',
      'expected a live array, got none',
    );
    expect(refusal(() => show(failing(ours)))).toBe(ours);
  });

  it('keeps the producer of a mask for the mask', () => {
    const mask = cuda({ typestr: '|b1' });
    expect(show(cuda({ mask })).mask?.owner).toBe(mask);
  });

  it('can turn read-only on for every interface, off only for SUAI', () => {
    expect(show(sycl(), { readOnly: false }).readOnly).toBe(false);
    expect(show(cuda(), { readOnly: true }).readOnly).toBe(true);
    expect(show(cuda(), { readOnly: false }).readOnly).toBe(false);
    const fixed = cuda({ data: [4096, true] });
    expectRefusal(() => show(fixed, { readOnly: false }), 'ERR_ARGUMENT', 'readOnly');
  });

  it('returns a descriptor as it is', () => {
    const array = show(cuda());
    expect(show(array)).toBe(array);
    expect(isArrayDescriptor(array)).toBe(true);
    expect(isArrayDescriptor({ ...array })).toBe(false);
    expect(String(array)).toBe('ArrayDescriptor(<f4 [4] at 0x1000, 16 bytes, C-contiguous)');
  });

  it.each([
    [new Float32Array(new ArrayBuffer(64), 4, 3), '<f4', 3, 4n],
    [new Int8Array(2), '|i1', 2, 0n],
    [new Uint16Array(2), '<u2', 2, 0n],
    [new Int32Array(2), '<i4', 2, 0n],
    [new Uint32Array(2), '<u4', 2, 0n],
    [new BigInt64Array(2), '<i8', 2, 0n],
    [new BigUint64Array(2), '<u8', 2, 0n],
    [new Float64Array(2), '<f8', 2, 0n],
    [new Uint8ClampedArray(5), '|u1', 5, 0n],
    [new DataView(new ArrayBuffer(9), 2), '|u1', 7, 2n],
    [new ArrayBuffer(6), '|u1', 6, 0n],
    [new SharedArrayBuffer(6), '|u1', 6, 0n],
    [new ArrayBuffer(0), '|u1', 0, 0n],
    [new Int16Array(3), '<i2', 3, 0n],
  ])('describes %s as host memory', (memory, typestr, length, pointer) => {
    const array = show(memory);
    expect(array).toMatchObject({ shape: [length], pointer, readOnly: false });
    expect(array.dtype.typestr).toBe(typestr);
    expect(array.owner).toBe(memory);
    expect(array.buffer).toBe(ArrayBuffer.isView(memory) ? memory.buffer : memory);
  });

  it('prefers an attribute to the memory that has it', () => {
    expect(show(Object.assign(new Uint8Array(8), cuda()))).toMatchObject({
      pointer: 4096n,
      buffer: null,
    });
  });

  it('does not take JavaScript memory for device memory', () => {
    expectRefusal(() => show(new Uint8Array(1), { protocol: 'cuda' }), 'ERR_NO_INTERFACE');
  });
});

describe('a producer in the place of its dict, and the reverse', () => {
  const dict = { version: 3, shape: [1], typestr: '<f4', data: [64, false] };

  it.each([
    ['__cuda_array_interface__', fromCudaArrayInterface],
    ['__sycl_usm_array_interface__', fromSyclUsmArrayInterface],
    ['__array_interface__', fromArrayInterface],
  ] as const)('%s: the refusal says which function reads it', (name, read) => {
    const { reason } = refusal(() => read({ [name]: dict } as never));
    expect(reason).toBe(
      `expected the required key 'version', got an object with ${name}; ` +
        'pass its value, or pass the object to fromProducer()',
    );
  });

  it('a dict is no producer', () => {
    const { code, message } = refusal(() => show(dict));
    expect(code).toBe('ERR_NO_INTERFACE');
    expect(message).toMatch(/, got the dict itself; read it with fromCudaArrayInterface\(dict\)/);
  });
});

describe('protocols', () => {
  it('has the functions that find, read and write each interface, and cannot be changed', () => {
    const { cuda } = protocols;
    expect([cuda.read, cuda.write]).toEqual([fromCudaArrayInterface, toCudaArrayInterface]);
    for (const { attribute, read, write } of Object.values(protocols)) {
      expect(attribute).toMatch(/^__\w+_interface__$/);
      expect([typeof read, typeof write]).toEqual(['function', 'function']);
    }
    expect(() => Object.assign(protocols, { cuda: null })).toThrow(TypeError);
    expect(() => Object.assign(cuda, { attribute: 'x' })).toThrow(TypeError);
  });

  it('the types of dicts notice a misspelt key, and complete the others', () => {
    const rest = { version: 3, typestr: '<f4', data: [64, false] };
    // @ts-expect-error shpae
    const misspelt = () => fromCudaArrayInterface({ ...rest, shpae: [1] });
    expectRefusal(misspelt, 'ERR_MISSING_KEY', 'shape');
    // @ts-expect-error a string is no list
    expectRefusal(() => fromCudaArrayInterface({ ...rest, shape: '1' }), 'ERR_TYPE', 'shape');
  });
});
