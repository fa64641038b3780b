import type { InterfaceDict } from '@array-interface/core';
import {
  type ArrayDescriptor,
  fromArrayInterface,
  isArrayInterfaceError,
} from '@array-interface/core';
import {
  DLPACK_DEVICES,
  type DLPackFields,
  type DLPackStruct,
  encodeDLPack,
  fromDLPack,
  toDLPack,
} from '@array-interface/core/dlpack';
import { randomSeed, runs } from '@array-interface/random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Python, pythonOf } from '../support/python.js';
import { decodePieces, type Exported } from '../support/struct-pieces.js';

/** One array of NumPy's; addresses are decimal strings. */
interface Case {
  readonly interface: Omit<InterfaceDict, 'data'> & {
    readonly data: readonly [pointer: string, readOnly: boolean];
  };
  /** The older struct and the versioned one; null if NumPy refuses. */
  readonly exports: readonly (Exported | null)[];
  /** Where a struct may be written, and its deleter. */
  readonly rooms: Readonly<Record<string, readonly [address: string, deleter: string]>>;
}

const numpy = new Python('dlpack_numpy', [pythonOf('sycl')]);
afterAll(() => numpy[Symbol.asyncDispose]());
const device = { type: DLPACK_DEVICES.cpu, id: 0 };
const seed = randomSeed();
const count = runs(5000);
let cases: readonly Case[];
beforeAll(async () => {
  cases = await numpy.call('make', seed, count);
});

test(`DLPack's structs are read as NumPy writes them, seed ${seed}`, () => {
  const held: [number, number] = [0, 0];
  for (const { interface: dict, exports } of cases) {
    const array = described(dict);
    const own = written(array);
    for (const [index, exported] of exports.entries()) {
      if (exported === null) {
        // The older struct cannot say that an array is read-only.
        if (own !== null) expect([index, array.readOnly], String(array)).toEqual([0, true]);
        continue;
      }
      const given = decodePieces(exported);
      expect(own, String(array)).not.toBeNull();
      expect(meant(fromDLPack(given)), String(array)).toEqual(meant(array));
      expect(given.deleter).not.toBe(0n);
      const { dtype, device: cpu, shape, readOnly } = given;
      expect(own).toMatchObject({ dtype, device: cpu, shape, readOnly });
      held[index as 0 | 1]++;
    }
    if (own !== null) expect(meant(fromDLPack(own)), String(array)).toEqual(meant(array));
  }
  for (const number of held) {
    expect(number).toBeGreaterThan(count / 4);
    expect(number).toBeLessThan(count);
  }
});

test(`NumPy reads the structs that core writes, and takes them back once, seed ${seed}`, async () => {
  let compared = 0;
  for (const [index, { interface: dict, rooms }] of cases.entries()) {
    const array = described(dict);
    const own = written(array);
    if (own === null) continue;
    for (const [name, [address, deleter]] of Object.entries(rooms)) {
      const struct = name as DLPackStruct;
      if (struct === 'DLManagedTensor' && own.readOnly) continue; // it cannot say so
      const options = { struct, address: BigInt(address), deleter: BigInt(deleter) };
      const digits = Buffer.from(encodeDLPack(own, options)).toString('hex');
      const found = await numpy.call<{ strides: number[] }>('read', index, struct, digits);
      const { strides, pointer } = meant(array);
      expect(found, String(array)).toMatchObject({
        ...{ shape: array.shape, typestr: array.dtype.typestr, sameBytes: true },
        ...(pointer === null ? {} : { pointer: String(pointer) }),
        // NumPy never writes to arrays of the older struct, and uses its own memory for arrays without elements.
        readOnly: array.size > 0 && (array.readOnly || struct === 'DLManagedTensor'),
        ...{ deletedBefore: 0, deleted: 1 },
      });
      const led = found.strides.map((one, axis) => (strides[axis] === null ? null : one));
      expect(led, String(array)).toEqual(strides);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(count / 2);
});

function described({ data: [pointer, readOnly], ...dict }: Case['interface']): ArrayDescriptor {
  return fromArrayInterface({ ...dict, data: [BigInt(pointer), readOnly] });
}

function written(array: ArrayDescriptor): DLPackFields | null {
  try {
    return toDLPack(array, { device });
  } catch (error) {
    if (isArrayInterfaceError(error)) return null;
    throw error;
  }
}

/** What both must agree on. Strides mean nothing on axes of length 1 and in arrays without elements. */
function meant({ shape, byteStrides, dtype, readOnly, size, pointer }: ArrayDescriptor) {
  const strides = byteStrides.map((one, axis) => (size > 0 && shape[axis] !== 1 ? one : null));
  return { shape, strides, dtype, readOnly, pointer: size === 0 ? null : pointer };
}
