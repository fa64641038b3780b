import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type ArrayDescriptor,
  type Backend,
  type BackendArray,
  type DTypeLike,
  dtype,
  isArrayInterfaceError,
  makeDescriptor,
  type OwnedArray,
} from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { evaluate, evaluateSync, type Values } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed, runs } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { pythonOf } from '../support/python.js';

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const program = fileURLToPath(new URL('../../python/random_cases/expressions.py', import.meta.url));
const AN_HOUR = 3_600_000;

/** An array over bytes of its own, in base64. */
interface Side {
  readonly typestr: DTypeLike;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  readonly data: string;
}

/** An expression and what NumPy made of it. */
interface Case {
  readonly text: string;
  readonly operands: Readonly<
    Record<string, Side | { readonly number: number | bigint | boolean }>
  >;
  readonly typestr: string;
  readonly shape: readonly number[];
  readonly data: string;
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** The bytes of a result, in the type and shape of NumPy's. */
function checked(result: ArrayDescriptor, { typestr, shape }: Case): Uint8Array {
  expect([result.dtype.typestr, [...result.shape]]).toEqual([typestr, [...shape]]);
  return new Uint8Array(result.buffer as ArrayBuffer);
}

/** Null if the elements are none that a typed array holds. */
function inJavaScript(one: Case): Uint8Array | null {
  const values: Record<string, Values[string]> = {};
  for (const [name, operand] of Object.entries(one.operands)) {
    values[name] = 'number' in operand ? operand.number : descriptorOf(operand);
  }
  try {
    return checked(evaluateSync(one.text, values), one);
  } catch (error) {
    if (isArrayInterfaceError(error, 'ERR_BYTE_ORDER', 'ERR_NOT_ACCESSIBLE')) return null;
    throw error;
  }
}

function descriptorOf({ typestr, shape, strides, offset, data }: Side): ArrayDescriptor {
  const buffer = bytes(data).buffer;
  return makeDescriptor({
    pointer: offset,
    shape,
    byteStrides: strides as never,
    dtype: typestr,
    buffer,
  });
}

async function on(backend: Backend, one: Case): Promise<Uint8Array> {
  const blocks: OwnedArray<BackendArray>[] = [];
  try {
    const values: Record<string, Values[string]> = {};
    for (const [name, operand] of Object.entries(one.operands)) {
      if ('number' in operand) {
        values[name] = operand.number;
        continue;
      }
      const { typestr, shape, strides, offset, data } = operand;
      const block = await backend.array(bytes(data));
      blocks.push(block);
      values[name] = makeDescriptor({
        pointer: block.pointer + BigInt(offset),
        shape,
        byteStrides: strides as never,
        dtype: typestr,
        owner: block.memory,
      });
    }
    using result = await evaluate(backend, one.text, values);
    const buffer = new ArrayBuffer(result.nbytes);
    const type = dtype(one.typestr);
    const to = makeDescriptor({ pointer: 0, shape: result.shape, dtype: type, buffer });
    await backend.copy(to, result, { casting: 'equiv' });
    return checked(
      makeDescriptor({ pointer: 0, shape: result.shape, dtype: result.dtype, buffer }),
      one,
    );
  } finally {
    for (const block of blocks) block.dispose();
  }
}

function cases(seed: number, count: number): ChildProcess {
  const args = ['-W', 'ignore', program, String(seed), String(count)];
  return spawn(pythonOf('sycl'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

function revive(_key: string, value: unknown): unknown {
  const isBig = typeof value === 'object' && value !== null && '$int' in value;
  return isBig ? BigInt(value.$int as string) : value;
}

const seed = randomSeed();
const PLACES: readonly (readonly [
  name: string,
  compute: (one: Case) => Promise<Uint8Array> | Uint8Array | null,
  usual: number,
])[] = [
  ['JavaScript memory', inJavaScript, 20_000],
  ['the host', (one) => on(host, one), 20_000],
  ['SYCL', (one) => on(sycl, one), 300],
  ['the simulator', (one) => on(cuda, one), 500],
];

test.each(PLACES)(
  `random expressions in %s have NumPy's bits, seed ${seed}`,
  async (name, compute, usual) => {
    const count = runs(usual);
    const python = cases(seed, count);
    let [total, held] = [0, 0];
    for await (const line of createInterface({ input: python.stdout as NodeJS.ReadableStream })) {
      const one = JSON.parse(line, revive) as Case;
      total++;
      let got: Uint8Array | null;
      try {
        got = await compute(one);
      } catch (error) {
        throw new Error(line.slice(0, 2000), { cause: error });
      }
      if (got === null) continue;
      held++;
      if (Buffer.compare(got, bytes(one.data)) !== 0) {
        expect([...got], line.slice(0, 2000)).toEqual([...bytes(one.data)]);
      }
    }
    console.log(`${held} expressions in ${name} from seed ${seed}: as NumPy's`);
    expect(total).toBe(count);
    expect(held).toBeGreaterThan(count / 2);
  },
  AN_HOUR,
);
