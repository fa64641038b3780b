import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type Backend,
  type BackendArray,
  type DTypeLike,
  dtype,
  makeDescriptor,
  type OwnedArray,
} from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import {
  all,
  any,
  argmax,
  argmin,
  bincount,
  countNonzero,
  cumulativeProd,
  cumulativeSum,
  evaluate,
  histogram,
  logSumExp,
  max,
  mean,
  min,
  prod,
  reduction,
  type Signature,
  type StandardReduction,
  type Steps,
  scan,
  searchsorted,
  std,
  sum,
  type Types,
  variance,
} from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed, runs } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { pythonOf } from '../support/python.js';

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const program = fileURLToPath(new URL('../../python/random_cases/reductions.py', import.meta.url));
const AN_HOUR = 3_600_000;

const STANDARD = {
  all,
  any,
  argmax,
  argmin,
  countNonzero,
  cumulativeProd,
  cumulativeSum,
  logSumExp,
  max,
  mean,
  min,
  prod,
  std,
  sum,
  variance,
} as Record<string, StandardReduction>;

/** An array over bytes of its own, in base64. */
interface Side {
  readonly typestr: DTypeLike;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  readonly data: string;
}

type Reduce = (
  backend: Backend,
  values: never,
  options: never,
) => Promise<Record<string, OwnedArray<BackendArray>>>;

/** A reduction, and what it makes: one by its name, one within a text, or one of texts. */
interface Case {
  readonly name?: string;
  readonly text?: string;
  readonly signature?: Signature<Types, Types>;
  readonly steps?: Steps;
  readonly scans?: boolean;
  readonly operands: Readonly<Record<string, Side | { readonly number: number }>>;
  readonly options: object;
  /** `near` is how far other bits may be from them, relative to the larger of 1 and the value. */
  readonly results: Readonly<
    Record<
      string,
      { typestr: '<f4' | '<f8'; shape: readonly number[]; data: string; near?: number }
    >
  >;
}

const known = new Map<string, Reduce>();

function reduceOf({ name, text, signature, steps, scans }: Case): Reduce {
  if (text !== undefined)
    return async (backend, values) => ({ result: await evaluate(backend, text, values) });
  if (name === 'histogram')
    return (backend, { x, ...others }: { x: never }, options: object) =>
      histogram(backend, x, { ...others, ...options }) as never;
  if (name === 'bincount')
    return async (backend, { x, ...others }: { x: never }, options: object) => ({
      result: await bincount(backend, x, { ...others, ...options }),
    });
  if (name === 'searchsorted')
    return async (backend, { sorted, x }: { sorted: never; x: never }, options) => ({
      result: await searchsorted(backend, sorted, x, options),
    });
  if (name !== undefined) {
    return async (backend, { x }: { x: never }, options) => ({
      result: await (STANDARD[name] as StandardReduction)(backend, x, options),
    });
  }
  const key = JSON.stringify([signature, steps, scans]);
  const made =
    known.get(key) ??
    ((scans ? scan : reduction)('own', signature as never, steps as never) as unknown as Reduce);
  known.set(key, made);
  return made;
}

async function on(backend: Backend, one: Case): Promise<Record<string, Uint8Array>> {
  const blocks: OwnedArray<BackendArray>[] = [];
  try {
    const values: Record<string, unknown> = {};
    for (const [name, operand] of Object.entries(one.operands)) {
      if ('number' in operand) {
        values[name] = operand.number;
        continue;
      }
      const { typestr, shape, strides, offset, data } = operand;
      const block = await backend.array(new Uint8Array(Buffer.from(data, 'base64')));
      blocks.push(block);
      const pointer = block.pointer + BigInt(offset);
      values[name] = makeDescriptor({
        pointer,
        shape,
        byteStrides: strides as never,
        dtype: typestr,
        owner: block.memory,
      });
    }
    const made = await reduceOf(one)(backend, values as never, one.options as never);
    const got: Record<string, Uint8Array> = {};
    for (const [name, { typestr, shape }] of Object.entries(one.results)) {
      using result = made[name] as OwnedArray<BackendArray>;
      expect([name, result.dtype.typestr, [...result.shape]]).toEqual([name, typestr, [...shape]]);
      const buffer = new ArrayBuffer(result.nbytes);
      const to = makeDescriptor({ pointer: 0, shape: result.shape, dtype: dtype(typestr), buffer });
      await backend.copy(to, result, { casting: 'equiv' });
      got[name] = new Uint8Array(buffer);
    }
    return got;
  } finally {
    for (const block of blocks) block.dispose();
  }
}

function numbersOf(bytes: Uint8Array, typestr: '<f4' | '<f8'): readonly number[] {
  const { buffer } = Uint8Array.from(bytes);
  return [...(typestr === '<f4' ? new Float32Array(buffer) : new Float64Array(buffer))];
}

function expectNear(
  got: readonly number[],
  wanted: readonly number[],
  near: number,
  line: string,
): void {
  for (const [index, value] of wanted.entries()) {
    const own = got[index] as number;
    if (Object.is(own, value) || Math.abs(own - value) <= near * Math.max(1, Math.abs(value)))
      continue;
    expect(own, line.slice(0, 2000)).toBe(value);
  }
}

function cases(seed: number, count: number): ChildProcess {
  const args = ['-W', 'ignore', program, String(seed), String(count)];
  return spawn(pythonOf('sycl'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

const seed = randomSeed();
const PLACES: readonly (readonly [name: string, backend: Backend, usual: number])[] = [
  ['the host', host, 10_000],
  ['SYCL', sycl, 200],
  ['the simulator', cuda, 200],
];

test.each(PLACES)(
  `random reductions and scans on %s have the bits of the tree in NumPy, seed ${seed}`,
  async (name, backend, usual) => {
    const count = runs(usual);
    const python = cases(seed, count);
    let total = 0;
    for await (const line of createInterface({ input: python.stdout as NodeJS.ReadableStream })) {
      const one = JSON.parse(line) as Case;
      let got: Record<string, Uint8Array>;
      try {
        got = await on(backend, one);
      } catch (error) {
        throw new Error(line.slice(0, 2000), { cause: error });
      }
      total++;
      for (const [own, { typestr, data, near }] of Object.entries(one.results)) {
        const wanted = Buffer.from(data, 'base64');
        if (Buffer.compare(got[own] as Uint8Array, wanted) === 0) continue;
        if (near !== undefined) {
          expectNear(
            numbersOf(got[own] as Uint8Array, typestr),
            numbersOf(wanted, typestr),
            near,
            line,
          );
          continue;
        }
        expect([...(got[own] as Uint8Array)], line.slice(0, 2000)).toEqual([...wanted]);
      }
    }
    console.log(`${total} reductions and scans on ${name} from seed ${seed}: as NumPy's`);
    expect(total).toBe(count);
  },
  AN_HOUR,
);
