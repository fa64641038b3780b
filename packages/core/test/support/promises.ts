import { expect } from 'vitest';
import { readSyclobj } from '../../src/descriptor/syclobj.js';
import { fromDLPack, toDLPack } from '../../src/dlpack/index.js';
import { explain } from '../../src/explain.js';
import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  fromArrayInterface,
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  toArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '../../src/index.js';
import { deserialize, serialize } from '../../src/serialize/index.js';
import { forgetReads, wasGreedy } from './hostile-values.js';
import { textOf } from './refusal.js';

/** What terminals obey, and what turns text around or hides in it. */
export const UNPRINTABLE: RegExp = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** What `act` returns; or the error that it is refused with, held to what every refusal promises. */
export function orRefusal(act: () => unknown): unknown {
  forgetReads();
  const [returned, error] = outcome(act);
  expect(wasGreedy(), 'read what it refuses').toBe(false);
  if (error === undefined) return returned;
  expectGenuine(error.thrown);
  return error.thrown;
}

function outcome(act: () => unknown): readonly [unknown, { readonly thrown: unknown }?] {
  try {
    return [act()];
  } catch (thrown) {
    return [undefined, { thrown }];
  }
}

function expectGenuine(error: unknown): void {
  if (!(error instanceof ArrayInterfaceError)) {
    throw new Error('threw what is no error of ours', { cause: error });
  }
  expect(error.reason).toMatch(/^expected /);
  expect(error.message).toBe(textOf(error));
  expect(error.message).not.toMatch(UNPRINTABLE);
  expect(error.message.length).toBeLessThanOrEqual(2000);
  expect(error.code).not.toBe('ERR_OUT_OF_MEMORY'); // which only a producer claims here
  const lines = explain(error).split('\n');
  expect(lines.filter((line) => UNPRINTABLE.test(line))).toEqual([]);
  expect(lines.length).toBeLessThan(1000);
}

const ROUND_TRIPS: Readonly<Record<string, (array: ArrayDescriptor) => ArrayDescriptor>> = {
  cuda: (array) => read(toCudaArrayInterface(array), fromCudaArrayInterface),
  host: (array) => read(toArrayInterface(array), fromArrayInterface),
  sycl: (array) =>
    read(
      toSyclUsmArrayInterface(array, array.syclobj === null ? { syclobj: 'cpu' } : {}),
      fromSyclUsmArrayInterface,
    ),
  dlpack: (array) => read(toDLPack(array, { device: { type: 2, id: 0 } }), fromDLPack),
  plain: (array) =>
    read(serialize(array), (data) =>
      deserialize(data, array.buffer === null ? {} : { buffer: array.buffer }),
    ),
};

/** What the reader makes of what the writer wrote, which it may not refuse. */
function read<T>(written: T, reader: (written: T) => ArrayDescriptor): ArrayDescriptor {
  try {
    return reader(written);
  } catch (cause) {
    throw new Error('its own reader refuses what was written', { cause });
  }
}

/** Holds a descriptor to what each promises, and what is written of it to its reader. */
export function expectSound(array: ArrayDescriptor): void {
  const { shape, byteStrides, pointer, extent, size, nbytes, buffer } = array;
  const counts = [...shape, ...byteStrides, ...extent, extent[1] - extent[0], size, nbytes];
  for (const count of counts) {
    expect(Number.isSafeInteger(count)).toBe(true);
    expect(Object.is(count, -0)).toBe(false);
  }
  expect(byteStrides).toHaveLength(shape.length);
  expect(pointer >= 0n && pointer < 2n ** 64n, 'the pointer is an address').toBe(true);
  if (size > 0 && buffer === null) {
    expect(pointer + BigInt(extent[0]) > 0n, 'no element lies at 0').toBe(true);
    expect(pointer + BigInt(extent[1]) <= 2n ** 64n, 'no element wraps').toBe(true);
  }
  expect([array, shape, byteStrides].every(Object.isFrozen)).toBe(true);
  if (array.syclobj !== null) readSyclobj(array.syclobj, 'syclobj'); // which every writer does
  for (const [protocol, trip] of Object.entries(ROUND_TRIPS)) {
    const again = orRefusal(() => trip(array)) as ArrayDescriptor | ArrayInterfaceError;
    if (again instanceof ArrayInterfaceError) continue;
    expect(again.shape, protocol).toEqual(shape);
    expect(again.dtype.typestr, protocol).toEqual(array.dtype.typestr);
    if (size > 0 || protocol === 'plain') expect(again.pointer, protocol).toBe(pointer);
    if (size > 0) expect(again.extent, protocol).toEqual(extent);
  }
  if (array.mask !== null) expectSound(array.mask);
}
