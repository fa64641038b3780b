import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryOf } from '../../src/backend/index.js';
import { whoCanRead } from '../../src/compatibility/index.js';
import { ArrayDescriptor, replace } from '../../src/descriptor/descriptor.js';
import { decodeDLPack, encodeDLPack, fromDLPack, toDLPack } from '../../src/dlpack/index.js';
import { explain } from '../../src/explain.js';
import {
  ArrayInterfaceError,
  broadcastArrays,
  broadcastTo,
  dtype,
  expandDims,
  field,
  flip,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromProducer,
  fromSyclUsmArrayInterface,
  isArrayDescriptor,
  isArrayInterfaceError,
  makeDescriptor,
  permuteDims,
  reshape,
  slice,
  squeeze,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
  transpose,
  view,
} from '../../src/index.js';
import { mayShareMemory, overlapsItself, sharesMemory } from '../../src/overlap/index.js';
import { deserialize, serialize } from '../../src/serialize/index.js';
import { descriptors } from '../support/descriptors.js';
import {
  BOTTOMLESS,
  dicts,
  fault,
  json,
  lists,
  lying,
  revive,
  revoked,
  STRANGE,
  strange,
  thrower,
  untouchable,
} from '../support/hostile-values.js';
import { expectSound, orRefusal, UNPRINTABLE } from '../support/promises.js';
import { record } from '../support/records.js';
import { expectRefusal } from '../support/refusal.js';

/** What `read` makes of a value: a descriptor that holds what it promises, or an error that does. */
function readsOrRefuses(read: () => unknown): void {
  const found = orRefusal(read);
  if (found instanceof ArrayDescriptor) expectSound(found);
}

const READERS = {
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  fromArrayInterface,
  makeDescriptor: makeDescriptor as (value: unknown) => unknown,
  dtype: dtype as (value: unknown) => unknown,
  fromProducer: (value: unknown) => fromProducer(value),
  'fromProducer of CAI': (value: unknown) => fromProducer({ __cuda_array_interface__: value }),
  'fromProducer of SUAI': (value: unknown) =>
    fromProducer({ __sycl_usm_array_interface__: value }, { readOnly: false }),
  "fromProducer of NumPy's": (value: unknown) => fromProducer({ __array_interface__: value }),
  toCudaArrayInterface: toCudaArrayInterface as (value: unknown) => unknown,
  toSyclUsmArrayInterface: toSyclUsmArrayInterface as (value: unknown) => unknown,
  toArrayInterface: toArrayInterface as (value: unknown) => unknown,
  deserialize: (value: unknown) => deserialize(value),
  fromDLPack: (value: unknown) => fromDLPack(value),
  encodeDLPack: (value: unknown) => encodeDLPack(value as never, { address: 4096n }),
};

describe.each(Object.entries(READERS))('%s', (_name, read) => {
  it('throws only our own errors, for anything', () => {
    fc.assert(
      fc.property(json, (value) => readsOrRefuses(() => read(revive(value) as never))),
      random(300),
    );
  });

  it('throws only our own errors, for dicts that are nearly right', () => {
    fc.assert(
      fc.property(dicts, fc.constantFrom(0, 1, 2), (made, how) => {
        const dict = revive(made) as object;
        const value = how === 0 ? dict : how === 1 ? getters(dict) : new Proxy(dict, {});
        readsOrRefuses(() => read(value as never));
      }),
      random(8000),
    );
  });
});

const array = makeDescriptor({ pointer: 4096n, shape: [2, 3], dtype: record(4, [['x', '<f4']]) });
const TENSOR = toDLPack(view(array, '<f4'), { device: { type: 2, id: 0 } });
const untyped = (act: unknown) => act as (...values: unknown[]) => unknown;

/** Whatever takes an argument besides an array, which here is anything. */
const CALLS: Readonly<Record<string, (value: unknown) => unknown>> = {
  flip: (value) => untyped(flip)(array, value),
  permuteDims: (value) => untyped(permuteDims)(array, value),
  transpose: (value) => untyped(transpose)(array, value),
  squeeze: (value) => untyped(squeeze)(array, value),
  expandDims: (value) => untyped(expandDims)(array, value),
  reshape: (value) => untyped(reshape)(array, value),
  'reshape, order': (value) => untyped(reshape)(array, [6], { order: value }),
  broadcastTo: (value) => untyped(broadcastTo)(array, value),
  broadcastArrays: (value) => untyped(broadcastArrays)(array, value),
  slice: (value) => untyped(slice)(array, value),
  'slice, a range': (value) => untyped(slice)(array, [value]),
  'slice, a part': (value) => untyped(slice)(array, [[value, value, value]]),
  field: (value) => untyped(field)(array, value),
  view: (value) => untyped(view)(array, value),
  mayShareMemory: (value) => untyped(mayShareMemory)(array, value),
  sharesMemory: (value) => untyped(sharesMemory)(array, array, { maxWork: value }),
  overlapsItself: (value) => untyped(overlapsItself)(array, { maxWork: value }),
  'fromProducer, protocol': (value) => untyped(fromProducer)(PRODUCER, { protocol: value }),
  'fromProducer, readOnly': (value) => untyped(fromProducer)(PRODUCER, { readOnly: value }),
  serialize: (value) => untyped(serialize)(value),
  'toCudaArrayInterface, version': (value) =>
    untyped(toCudaArrayInterface)(array, { version: value }),
  'toSyclUsmArrayInterface, syclobj': (value) =>
    untyped(toSyclUsmArrayInterface)(view(array, '<f4'), { syclobj: value }),
  'toDLPack, options': (value) => untyped(toDLPack)(view(array, '<f4'), value),
  'toDLPack, dtype': (value) =>
    untyped(toDLPack)(array, { device: { type: 2, id: 0 }, dtype: value }),
  'encodeDLPack, options': (value) => untyped(encodeDLPack)(TENSOR, value),
  'encodeDLPack, address': (value) => untyped(encodeDLPack)(TENSOR, { address: value }),
  'decodeDLPack, address': (value) =>
    untyped(decodeDLPack)(value, { read: () => new Uint8Array(8) }),
  'decodeDLPack, options': (value) => untyped(decodeDLPack)(4096n, value),
  'decodeDLPack, what is read': (value) => untyped(decodeDLPack)(4096n, { read: () => value }),
  'makeDescriptor, syclobj': (value) =>
    untyped(makeDescriptor)({ pointer: 4096n, shape: [2], dtype: '<f4', syclobj: value }),
  explain: (value) => untyped(explain)(value),
  'explain, subject': (value) =>
    untyped(explain)(new ArrayInterfaceError('ERR_TYPE', 'shape[0]', 'expected'), { shape: value }),
  'whoCanRead, version': (value) => untyped(whoCanRead)(array, { version: value }),
  'whoCanRead, memory': (value) => untyped(whoCanRead)(array, { memory: value }),
};
const PRODUCER = {
  __cuda_array_interface__: { version: 3, shape: [2], typestr: '<f4', data: [4096, false] },
};

describe.each(Object.entries(CALLS))('%s', (_name, call) => {
  it('throws only our own errors, for any argument', () => {
    const lengths = fc.array(fc.constantFrom(-2, -1, 0, 1, 2, 3, 2 ** 52), { maxLength: 70 });
    fc.assert(
      fc.property(fc.oneof(strange, lists, json, lengths), (value) =>
        readsOrRefuses(() => call(revive(value))),
      ),
      random(300),
    );
  });
});

describe('explain', () => {
  it('shows a few entries of each list, however many lists there are', () => {
    const error = new ArrayInterfaceError('ERR_TYPE', 'shape[0]', 'expected');
    const shown = orRefusal(() => explain(error, { shape: BOTTOMLESS }));
    expect(String(shown).split('\n').length).toBeLessThan(20);
  });
});

describe('options', () => {
  const TAKE: Readonly<Record<string, (options: unknown) => unknown>> = {
    fromCudaArrayInterface: (options) =>
      untyped(fromCudaArrayInterface)(PRODUCER.__cuda_array_interface__, options),
    fromArrayInterface: (options) =>
      untyped(fromArrayInterface)(PRODUCER.__cuda_array_interface__, options),
    fromSyclUsmArrayInterface: (options) => untyped(fromSyclUsmArrayInterface)({}, options),
    deserialize: (options) => untyped(deserialize)(serialize(array), options),
    fromDLPack: (options) => untyped(fromDLPack)({}, options),
    fromProducer: (options) => untyped(fromProducer)(PRODUCER, options),
    reshape: (options) => untyped(reshape)(array, [6], options),
    sharesMemory: (options) => untyped(sharesMemory)(array, array, options),
    overlapsItself: (options) => untyped(overlapsItself)(array, options),
    toCudaArrayInterface: (options) => untyped(toCudaArrayInterface)(array, options),
    toSyclUsmArrayInterface: (options) =>
      untyped(toSyclUsmArrayInterface)(view(array, '<f4'), options),
    whoCanRead: (options) => untyped(whoCanRead)(array, options),
  };
  it.each(Object.entries(TAKE))('of %s may be anything', (_name, take) => {
    for (const value of [...STRANGE, null, 5]) readsOrRefuses(() => take(value));
  });
});

describe('memoryOf', () => {
  it('knows nothing about objects that are not ours', () => {
    for (const value of STRANGE) expect(memoryOf(value)).toBeNull();
  });
});

describe('text', () => {
  it('never comes out of an error with control characters', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 60 });
    const property = fc.property(texts, fc.array(texts, { maxLength: 20 }), (text, names) => {
      const descr = [text, ...names].map((name) => [[name, `${name}!`], '<f4']);
      const dict = { version: 3, shape: [1], typestr: `|V${descr.length * 4}`, data: [64, false] };
      const made = orRefusal(() => fromCudaArrayInterface({ ...dict, descr }));
      if (made instanceof ArrayDescriptor) orRefusal(() => field(made, `${text}?`));
      for (const value of [text, Symbol(text)]) {
        orRefusal(() => fromCudaArrayInterface({ ...dict, typestr: value as never }));
        orRefusal(() => fromCudaArrayInterface({ ...dict, [text]: value, shape: 5 as never }));
        orRefusal(() => fromProducer(PRODUCER, { protocol: value as never }));
        orRefusal(() => fromSyclUsmArrayInterface({ ...dict, version: 1, syclobj: value }));
      }
    });
    fc.assert(property, random(300));
  });

  it('that other code wrote into an error is explained without control characters', () => {
    const text = fc.string({ unit: 'binary' });
    const property = fc.property(text, text, text, (path, message, key) => {
      const lines = explain(new ArrayInterfaceError('ERR_TYPE', path, message), { [key]: key });
      expect(lines.split('\n').filter((line) => UNPRINTABLE.test(line))).toEqual([]);
    });
    fc.assert(property, random(300));
  });
});

describe('whoCanRead', () => {
  it('writes each protocol once, whatever the array', () => {
    const property = fc.property(descriptors, (made) => {
      let reads = 0;
      const { fields } = made.dtype;
      const counting = Object.defineProperty({ ...made.dtype }, 'fields', {
        get: () => {
          reads++;
          return fields;
        },
      });
      const counted = replace(made, { dtype: counting, mask: null });
      expect(orRefusal(() => whoCanRead(counted, { syclobj: 'cpu' }))).toHaveLength(18);
      expect(reads).toBeLessThan(20);
    });
    fc.assert(property, random(300));
  });
});

/** The same, by getters of an object without prototype; what they would return twice changes. */
function getters(dict: object): object {
  const object = Object.create(null);
  for (const [key, value] of Object.entries(dict)) {
    let reads = 0;
    Object.defineProperty(object, key, { get: () => (reads++ === 0 ? value : thrower(fault)()) });
  }
  return object;
}

describe('lists that are too long', () => {
  const dict = { version: 3, shape: [2], typestr: '|V8', data: [4096, false] };
  it.each([
    [{ shape: new Array(2 ** 32 - 1) }, 'ERR_RANK_MISMATCH', 'shape'],
    [{ shape: new Array(1000).fill(1) }, 'ERR_RANK_MISMATCH', 'shape'],
    [{ strides: lying(2 ** 30) }, 'ERR_RANK_MISMATCH', 'strides'],
    [{ strides: lying(2 ** 32) }, 'ERR_TYPE', 'strides'],
    [{ data: new Array(2 ** 31) }, 'ERR_TYPE', 'data'],
    [{ descr: new Array(2 ** 31) }, 'ERR_DESCR', 'descr'],
    [{ descr: new Array(2 ** 17).fill(['a', '|V8']) }, 'ERR_DESCR', 'descr'],
    [{ descr: [new Array(2 ** 31)] }, 'ERR_DESCR', 'descr[0]'],
    [{ descr: [[new Array(2 ** 31), '|V8']] }, 'ERR_DESCR', 'descr[0][0]'],
    [{ descr: [['a', '|V8', new Array(2 ** 31)]] }, 'ERR_RANK_MISMATCH', 'descr[0][2]'],
  ] as const)('%# are refused before they are read', (changes, code, path) => {
    expectRefusal(() => fromCudaArrayInterface({ ...dict, ...changes }), code, path);
  });

  it('also if a list contains itself many times over', () => {
    let descr: unknown[] = [['x', '|V1']];
    for (let depth = 0; depth < 31; depth++) {
      descr = [
        ['a', descr],
        ['b', descr],
      ];
    }
    expectRefusal(() => fromCudaArrayInterface({ ...dict, descr }), 'ERR_DESCR');
  });

  it('and records in records', () => {
    const descr: unknown[] = [];
    descr.push(['a', descr]);
    expectRefusal(() => fromCudaArrayInterface({ ...dict, descr }), 'ERR_DESCR');
  });
});

describe('descr', () => {
  it('is read once, entries and names too', () => {
    const once = (list: readonly unknown[]): unknown => {
      const seen = new Set<PropertyKey>();
      return new Proxy(list, {
        get(target, key) {
          if (seen.has(key)) throw new Error(`read ${String(key)} twice`);
          seen.add(key);
          const value = Reflect.get(target, key);
          return Array.isArray(value) ? once(value) : value;
        },
      });
    };
    const dict = { version: 3, shape: [2], typestr: '|V8', data: [4096, false] };
    for (const descr of [
      [['', '|V8']],
      [[['a title', 'a'], '<f4', [2]]],
      [
        ['p', [['x', '<f4']]],
        ['', '|V4'],
      ],
    ]) {
      const array = fromCudaArrayInterface({ ...dict, descr: once(descr) });
      expect(array.dtype).toEqual(fromCudaArrayInterface({ ...dict, descr }).dtype);
    }
  });
});

describe('a record of nothing but padding', () => {
  it('is opaque', () => {
    const descr = [
      ['', '|V4'],
      ['', '|V4'],
    ];
    const dict = { version: 3, shape: [2], typestr: '|V8', data: [4096, false], descr };
    expect(fromCudaArrayInterface(dict).dtype).toEqual(dtype('|V8'));
  });
});

describe('a capsule', () => {
  it.each([
    { name: 3, pointer: 1n },
    { name: 'SyclQueueRef', pointer: 1 },
    ['SyclQueueRef', 1n],
    null,
  ])('is not %o', (syclobj) => {
    const dict = { version: 1, shape: [2], typestr: '<f4', data: [4096, false], syclobj };
    expectRefusal(() => fromSyclUsmArrayInterface(dict), 'ERR_TYPE', 'syclobj');
  });
});

describe('what never throws', () => {
  it('checking whether a proxy is ours', () => {
    for (const value of [untouchable(fault), untouchable(fault, []), revoked.proxy]) {
      expect(isArrayDescriptor(value)).toBe(false);
      expect(isArrayInterfaceError(value)).toBe(false);
      expect(isArrayInterfaceError(value, 'ERR_TYPE')).toBe(false);
    }
  });
});

describe('rank', () => {
  it.each([0, 1, 2, 31, 32, 33, 63, 64])('%d is read and written', (rank) => {
    const shape = new Array(rank).fill(1).fill(3, 0, 4);
    const array = fromCudaArrayInterface({
      version: 3,
      shape,
      typestr: '<f8',
      data: [2n ** 63n, false],
      stream: 2n ** 64n - 1n,
    });
    expect(array).toMatchObject({ ndim: rank, pointer: 2n ** 63n, stream: 2n ** 64n - 1n });
    expect(fromCudaArrayInterface(toCudaArrayInterface(array))).toEqual(array);
  });
});
