import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type Backend,
  type BackendArray,
  type DTypeLike,
  dtype,
  makeDescriptor,
} from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { host } from '@array-interface/host';
import { randomSeed, runs } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { pythonOf } from '../support/python.js';

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const program = fileURLToPath(
  new URL('../../python/random_cases/array_functions.py', import.meta.url),
);
const AN_HOUR = 3_600_000;

/** An array over bytes of its own; the data is base64. */
interface Side {
  readonly typestr: DTypeLike;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  readonly data: string;
}

/** What NumPy made of a call; for `put` the bytes of the first array afterwards. */
interface Call {
  readonly name: string;
  readonly arrays: readonly Side[];
  readonly with: Readonly<Record<string, unknown>>;
  readonly typestr: DTypeLike;
  readonly shape: readonly number[];
  readonly data: string;
}

/** Arguments, whose types the functions check. */
type Given = Readonly<Record<string, never>>;

/** Functions by name, with their arguments as the Python program writes them. */
const FUNCTIONS: Readonly<
  Record<string, (backend: Backend, arrays: never[], given: Given) => Promise<unknown>>
> = {
  take: (b, [array, indices], given) => b.take(array as never, indices as never, given),
  put: (b, [array, indices, values], given) =>
    b.put(array as never, indices as never, values as never, { ...given, casting: 'unsafe' }),
  where: (b, [mask, first, second]) => b.where(mask as never, first as never, second as never),
  concat: (b, arrays, given) => b.concat(arrays, given),
  stack: (b, arrays, given) => b.stack(arrays, given),
  tile: (b, [array], { repetitions }) => b.tile(array as never, repetitions as never),
  repeat: (b, [array], { repeats, ...given }) => b.repeat(array as never, repeats as never, given),
  roll: (b, [array], { shift, ...given }) => b.roll(array as never, shift as never, given),
  arange: (b, _, { start, stop, step, ...given }) =>
    b.arange(start as never, stop as never, step as never, given),
  linspace: (b, _, { start, stop, count, ...given }) =>
    b.linspace(start as never, stop as never, count as never, given),
  eye: (b, _, { rows, columns, ...given }) => b.eye(rows as never, columns as never, given),
};

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

/** The bytes that the backend makes of a call. */
async function made(
  backend: Backend,
  { name, arrays, with: given, ...call }: Call,
): Promise<Uint8Array> {
  const blocks: (BackendArray & Disposable)[] = [];
  try {
    for (const { data } of arrays) blocks.push(await backend.array(bytes(data)));
    const sides = arrays.map(({ typestr, shape, strides, offset }, index) => {
      const { memory } = blocks[index] as BackendArray;
      const pointer = memory.pointer + BigInt(offset);
      return makeDescriptor({
        pointer,
        shape,
        byteStrides: strides,
        dtype: typestr,
        owner: memory,
      });
    });
    const result = await FUNCTIONS[name]?.(backend, sides as never[], given as never);
    if (name === 'put')
      return (await backend.toTypedArray(blocks[0] as BackendArray)) as Uint8Array;
    using array = result as BackendArray & Disposable;
    expect(array.shape).toEqual(call.shape);
    const buffer = new ArrayBuffer(array.nbytes);
    const type = dtype(call.typestr);
    const to = makeDescriptor({ pointer: 0, shape: array.shape, dtype: type, buffer });
    await backend.copy(to, array, { casting: 'equiv' });
    return new Uint8Array(buffer);
  } finally {
    for (const block of blocks) block[Symbol.dispose]();
  }
}

function called(seed: number, count: number): ChildProcess {
  const args = ['-W', 'ignore', program, String(seed), String(count)];
  return spawn(pythonOf('sycl'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

function revive(_key: string, value: unknown): unknown {
  const isBig = typeof value === 'object' && value !== null && '$int' in value;
  return isBig ? BigInt(value.$int as string) : value;
}

const seed = randomSeed();
const CASES = [
  ['host', host, 5000],
  ['sycl', sycl, 1000],
  ['the simulator', cuda, 200],
] as const;

test.each(CASES)(
  `arrays that are made, joined and indexed on %s are NumPy's, seed ${seed}`,
  async (name, backend, usual) => {
    const count = runs(usual);
    const python = called(seed, count);
    const compared = new Map<string, number>();
    for await (const line of createInterface({ input: python.stdout as NodeJS.ReadableStream })) {
      const call = JSON.parse(line, revive) as Call;
      const got = await made(backend, call).catch((error: unknown) => {
        throw new Error(line.slice(0, 2000), { cause: error });
      });
      if (Buffer.compare(got, bytes(call.data)) !== 0) {
        expect([...got], line.slice(0, 2000)).toEqual([...bytes(call.data)]);
      }
      compared.set(call.name, (compared.get(call.name) ?? 0) + 1);
    }
    const total = [...compared.values()].reduce((sum, one) => sum + one, 0);
    console.log(`${total} calls on ${name} from seed ${seed}: as NumPy's`);
    expect(total).toBe(count);
    expect(compared.size).toBe(Object.keys(FUNCTIONS).length);
  },
  AN_HOUR,
);
