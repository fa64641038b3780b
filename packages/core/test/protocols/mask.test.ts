import { expect, it } from 'vitest';
import { capsuleFields } from '../../src/backend/index.js';
import {
  type ArrayDescriptor,
  type ErrorCode,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromProducer,
  makeDescriptor,
  slice,
  toArrayInterface,
  toCudaArrayInterface,
} from '../../src/index.js';
import { serialize } from '../../src/serialize/index.js';
import { expectRefusal } from '../support/refusal.js';

const shape = [2, 3];

it('a descriptor takes a mask that broadcasts and has none of its own', () => {
  const plain = makeDescriptor({ pointer: 64n, shape, dtype: 'bool' });
  const masked = makeDescriptor({ pointer: 64n, shape, dtype: 'bool', mask: plain });
  expect(masked.mask).toBe(plain);
  const row = makeDescriptor({ pointer: 64n, shape: [3], dtype: 'bool' });
  expect(makeDescriptor({ pointer: 64n, shape, dtype: 'bool', mask: row }).mask).toBe(row);
  const act = () => makeDescriptor({ pointer: 64n, shape, dtype: 'bool', mask: masked });
  expectRefusal(act, 'ERR_MASK', 'mask.mask');
  const long = makeDescriptor({ pointer: 64n, shape: [2], dtype: 'bool' });
  const other = () => makeDescriptor({ pointer: 64n, shape, dtype: 'bool', mask: long });
  expectRefusal(other, 'ERR_MASK', 'mask.shape');
});

it('a mask whose attribute throws is named', () => {
  const fault = new Error('gone');
  const mask = {
    get __cuda_array_interface__(): never {
      throw fault;
    },
  };
  const dict = { shape, typestr: '<f4', data: [4096, false], version: 3, mask };
  expectRefusal(() => fromCudaArrayInterface(dict), 'ERR_TYPE', 'mask');
});

/** An array with a mask of bits, a bit for each element. */
const masked = (lengths: readonly number[], strides: readonly number[] | null = null) => {
  const dict = { version: 3, shape: lengths, typestr: '<f4', data: [4096, false] };
  const mask = { __cuda_array_interface__: { ...dict, typestr: '|t1', strides } };
  return fromCudaArrayInterface({ ...dict, mask });
};

it('a mask of bits is taken whatever the strides of axes of length 1 and of empty arrays say', () => {
  expect(masked([1, 8], [1, 1]).mask?.byteStrides).toEqual([8, 1]);
  expect(masked([0, 8], [5, 5]).mask?.byteStrides).toEqual([8, 1]);
  expectRefusal(() => masked([2, 8], [1, 1]), 'ERR_MASK', 'mask.strides');
});

it('a mask of bits without elements takes no bytes, however long its other axes', () => {
  const huge = new Array<number>(22).fill(2 ** 52);
  for (const lengths of [
    [0, ...huge],
    [...huge, 0],
  ]) {
    expect(masked(lengths).mask).toMatchObject({ size: 0, nbytes: 0, extent: [0, 0] });
  }
});

it('a mask of bits is written with its array only', () => {
  const array = masked([8]);
  const inCapsule = (one: ArrayDescriptor) => capsuleFields(one, { type: 1, id: 0 });
  const masks = [toCudaArrayInterface, toArrayInterface, serialize];
  for (const write of masks) expect(() => write(array)).not.toThrow();
  for (const write of [...masks, inCapsule]) {
    const act = () => write(array.mask as ArrayDescriptor);
    expectRefusal(act, 'ERR_DTYPE_UNSUPPORTED', 'typestr');
  }
});

/** What no writer takes, with those that refuse it, and the path there. */
const UNWRITABLE: readonly [
  what: string,
  writers: readonly (readonly [
    write: (array: ArrayDescriptor) => unknown,
    code: ErrorCode,
    path: string,
  ])[],
  make: () => ArrayDescriptor,
][] = [
  [
    'in JavaScript memory',
    [[toCudaArrayInterface, 'ERR_POINTER_UNKNOWN', 'data[0]']],
    () => fromProducer(Uint8Array.of(1, 0, 1)),
  ],
  [
    'in read-only JavaScript memory',
    [[toArrayInterface, 'ERR_READ_ONLY', 'data']],
    () => fromProducer(Uint8Array.of(1, 0, 1), { readOnly: true }),
  ],
  [
    'with pending work',
    [
      [toArrayInterface, 'ERR_STREAM', 'stream'],
      [(array) => toCudaArrayInterface(array, { version: 2 }), 'ERR_STREAM', 'stream'],
    ],
    () => makeDescriptor({ pointer: 64n, shape: [3], dtype: 'uint8', stream: 7n }),
  ],
  [
    'on the default stream of its thread',
    [[serialize, 'ERR_STREAM', 'stream']],
    () => makeDescriptor({ pointer: 64n, shape: [3], dtype: 'uint8', stream: 2n }),
  ],
];

it.each(UNWRITABLE)('a mask %s is refused as an array is, and the path leads to it', (...row) => {
  const [, writers, make] = row;
  const mask = make();
  const carrier = makeDescriptor({ pointer: 64n, shape: [2, 3], dtype: 'float32', mask });
  for (const [write, code, path] of writers) {
    expectRefusal(() => write(mask), code, path);
    expectRefusal(() => write(carrier), code, `mask.${path}`);
  }
});

it('a mask of a mask is refused where it is found, also one that never ends', () => {
  const dict = { version: 3, shape, typestr: '<f4', data: [4096, false] as [number, boolean] };
  for (const [read, attribute] of [
    [fromCudaArrayInterface, '__cuda_array_interface__'],
    [fromArrayInterface, '__array_interface__'],
  ] as const) {
    let reads = 0;
    const endless = {
      ...dict,
      get mask(): object {
        reads++;
        return { [attribute]: endless };
      },
    };
    expectRefusal(() => read(endless), 'ERR_MASK', 'mask.mask');
    expect(reads).toBe(2);
  }
});

it('a mask is not broadcast to more bytes than can be counted', () => {
  const mask = makeDescriptor({ pointer: 64n, shape: [1], dtype: '|V64' });
  const lengths = [2 ** 50];
  const array = makeDescriptor({
    pointer: 64n,
    shape: lengths,
    byteStrides: [0],
    dtype: '|u1',
    mask,
  });
  expectRefusal(() => slice(array, []), 'ERR_MASK', 'mask');
});

it('is sliced like its array, whatever a list says when it is read again', () => {
  let reads = 0;
  const range = [0, 4] as [number, number];
  Object.defineProperty(range, 1, { get: () => (reads++ === 0 ? 4 : 2) });
  const bytes = { version: 3, shape: [8], typestr: '|b1', data: [8192, true] };
  const dict = { ...bytes, typestr: '|u1', data: [4096, false] };
  const array = fromCudaArrayInterface({ ...dict, mask: { __cuda_array_interface__: bytes } });
  const cut = slice(array, [range]);
  expect([cut.shape, cut.mask?.shape]).toEqual([[4], [4]]);
});
