import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { InterfaceDict } from '@array-interface/core';
import {
  type ArrayDescriptor,
  fromArrayInterface,
  isArrayInterfaceError,
} from '@array-interface/core';
import {
  DLPACK_DEVICES,
  type DLPackFields,
  fromDLPack,
  toDLPack,
} from '@array-interface/core/dlpack';
import { randomSeed, runs } from '@array-interface/random';
import { expect, test } from 'vitest';
import { pythonOf } from './python.js';

/** One array of NumPy's in its two interfaces; addresses are decimal strings. */
interface Case {
  readonly interface: Omit<InterfaceDict, 'data'> & {
    readonly data: readonly [pointer: string, readOnly: boolean];
  };
  /** Null where NumPy refuses. */
  readonly fields: (object & { readonly data: string; readonly byteOffset: string }) | null;
}

const program = fileURLToPath(new URL('../python/random_dlpack.py', import.meta.url));
const device = { type: DLPACK_DEVICES.cpu, id: 0 };

const seed = randomSeed();
test(`DLPack's fields are those that NumPy exports, seed ${seed}`, () => {
  const count = runs(5000);
  let held = 0;
  for (const { interface: dict, fields } of casesOf(count)) {
    const [pointer, readOnly] = dict.data;
    const array = fromArrayInterface({ ...dict, data: [BigInt(pointer), readOnly] });
    const own = written(array);
    if (fields === null || own === null) {
      expect(own, String(array)).toBe(fields);
      continue;
    }
    const { data, byteOffset, ...rest } = fields;
    const given = { ...rest, data: BigInt(data), byteOffset: BigInt(byteOffset) };
    expect(meant(fromDLPack(given)), String(array)).toEqual(meant(array));
    expect(meant(fromDLPack(own)), String(array)).toEqual(meant(array));
    const { dtype, device: cpu, shape, readOnly: flag } = given as unknown as DLPackFields;
    expect(own).toMatchObject({ dtype, device: cpu, shape, readOnly: flag });
    held++;
  }
  expect(held).toBeGreaterThan(count / 2);
  expect(held).toBeLessThan(count);
});

function written(array: ArrayDescriptor): DLPackFields | null {
  try {
    return toDLPack(array, { device });
  } catch (error) {
    if (isArrayInterfaceError(error)) return null;
    throw error;
  }
}

/** What both must agree on: strides lead nowhere on axes of length 1 and in arrays without elements. */
function meant({ shape, byteStrides, dtype, readOnly, size, pointer }: ArrayDescriptor): object {
  const strides = byteStrides.map((one, axis) => (size > 0 && shape[axis] !== 1 ? one : null));
  return { shape, strides, dtype, readOnly, pointer: size === 0 ? null : pointer };
}

function casesOf(count: number): readonly Case[] {
  const { status, stdout, stderr } = spawnSync(
    pythonOf('sycl'),
    [program, String(seed), String(count)],
    { maxBuffer: 2 ** 30, encoding: 'utf8', env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } },
  );
  if (status !== 0) throw new Error(`Python ended with ${status}, seed ${seed}: ${stderr}`);
  return (JSON.parse(stdout) as { cases: readonly Case[] }).cases;
}
