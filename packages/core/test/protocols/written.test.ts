import { describe, expect, test } from 'vitest';
import { internals, memoryOf, namedOwner, replace } from '../../src/backend/index.js';
import {
  type ArrayDescriptor,
  type ArrayLike,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromProducer,
  fromSyclUsmArrayInterface,
  makeDescriptor,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../../src/index.js';
import { FakeBackend } from '../support/fake-driver.js';
import { refusal } from '../support/refusal.js';

type Way = [string, (array: ArrayDescriptor) => object, (dict: never) => ArrayDescriptor];

const WAYS: Way[] = [
  ['NumPy', toArrayInterface, fromArrayInterface],
  ['CAI', toCudaArrayInterface, fromCudaArrayInterface],
  [
    'SUAI',
    (array) => toSyclUsmArrayInterface(array, { syclobj: 'cpu' }),
    fromSyclUsmArrayInterface,
  ],
];

const backend = new FakeBackend();
const made = () => backend.empty([4], 'uint8');

describe.each(WAYS)('a dict of %s', (_, write, read) => {
  test('leads to the memory that it was written for, also when copied', () => {
    const array = made();
    const dict = write(array.descriptor) as { data: readonly unknown[] };
    expect(memoryOf(read(dict as never).owner)).toBe(array.memory);
    expect(memoryOf(read({ ...dict, strides: null } as never).owner)).toBe(array.memory);
    expect(memoryOf(read({ ...dict, data: [...dict.data] } as never).owner)).toBeNull();
    expect(memoryOf(read(JSON.parse(text(dict)) as never).owner)).toBeNull();
    expect(structuredClone(dict)).toEqual(dict);
    expect(Reflect.ownKeys(dict.data)).toEqual(['0', '1', 'length']);
  });

  test('of memory without an owner leads nowhere', () => {
    const array = makeDescriptor({ pointer: 64n, shape: [4], dtype: 'uint8' });
    expect(read(write(array) as never).owner).toBeNull();
  });
});

function text(dict: object): string {
  return JSON.stringify(dict, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}

test('the producer of a dict is kept, too', () => {
  const array = made();
  const producer = { __array_interface__: toArrayInterface(array.descriptor) };
  const { owner } = fromProducer(producer);
  expect(memoryOf(owner)).toBe(array.memory);
  expect(namedOwner(owner)).toBe(producer);
  expect(namedOwner(array.memory)).toBeNull();
  const given = fromArrayInterface(producer.__array_interface__, { owner: array });
  expect(given.owner).toBe(array);
});

describe('a mask', () => {
  const masked = (array: ArrayDescriptor, mask: ArrayDescriptor) => replace(array, { mask });

  test('is in the memory of its array if it has no other', () => {
    const array = made();
    const mask = makeDescriptor({ pointer: 64n, shape: [4], dtype: 'bool' });
    const dict = toCudaArrayInterface(masked(array.descriptor, mask));
    expect(memoryOf(fromCudaArrayInterface(dict).mask?.owner)).toBe(array.memory);
  });

  test('of freed memory is refused with its path', () => {
    const [array, other] = [made(), made()];
    const dict = toArrayInterface(masked(array.descriptor, other.descriptor));
    expect(memoryOf(fromArrayInterface(dict).mask?.owner)).toBe(other.memory);
    const producer = { __array_interface__: dict } as ArrayLike;
    internals(other.memory).end();
    const error = refusal(() => backend.asArray(producer));
    expect([error.code, error.path]).toEqual(['ERR_DISPOSED', 'mask.data']);
  });
});
