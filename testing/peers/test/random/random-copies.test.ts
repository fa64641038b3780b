import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Backend, dtype, makeDescriptor } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { host } from '@array-interface/host';
import { randomSeed, runs } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { pythonOf } from '../support/python.js';

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const program = fileURLToPath(
  new URL('../../python/random_cases/random_copies.py', import.meta.url),
);
const AN_HOUR = 3_600_000;
/** Copies in one block of memory. Waiting for each copy would take most of the time. */
const PORTION = 100;
/** The alignment of each copy's bytes, whatever comes before them. */
const ALIGNMENT = 64;

/** The share of copies on CUDA that are large enough for the kernel for tiles, and their least elements. */
const LARGE = 0.04;
const LARGE_ELEMENTS = 2 ** 14;
/** A square copy with this side has that kernel compiled for its conversion. */
const COMPILED_SIDE = 2 ** 10;
const LARGEST_ITEM = 16;

/** A layout over bytes of its own; the data is base64. */
interface Side {
  readonly typestr: string;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  readonly data: string;
}

/** What NumPy made of one copy: all bytes of the destination afterwards. */
interface Copy {
  readonly from: Side;
  readonly to: Side;
  readonly after: string;
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

/** Joins blocks into one. Returns it, and the offset of each. */
function joined(blocks: readonly Uint8Array[]): { all: Uint8Array; starts: readonly number[] } {
  const starts: number[] = [];
  let end = 0;
  for (const block of blocks) {
    starts.push(end);
    end += Math.ceil(block.length / ALIGNMENT) * ALIGNMENT;
  }
  const all = new Uint8Array(end);
  for (const [i, block] of blocks.entries()) all.set(block, starts[i]);
  return { all, starts };
}

const elements = ({ shape }: Side) => shape.reduce((product, length) => product * length, 1);

/** Transposes a large matrix from one type into the other. */
async function transpose(backend: Backend, from: string, to: string): Promise<void> {
  using source = backend.empty([COMPILED_SIDE ** 2 * LARGEST_ITEM], 'uint8');
  using target = backend.empty([COMPILED_SIDE ** 2 * LARGEST_ITEM], 'uint8');
  const matrix = (block: typeof source, typestr: string, isTurned: boolean) => {
    const type = dtype(typestr);
    const strides = [COMPILED_SIDE * type.itemsize, type.itemsize];
    return makeDescriptor({
      pointer: block.pointer,
      shape: [COMPILED_SIDE, COMPILED_SIDE],
      byteStrides: isTurned ? strides.reverse() : strides,
      dtype: type,
      owner: block.memory,
    });
  };
  await backend.copy(matrix(target, to, false), matrix(source, from, true), { casting: 'unsafe' });
  await backend.synchronize();
}

/** Has the kernels for tiles compiled: for units of bytes, and for the conversions of large copies. */
class Compiled {
  readonly #backend: Backend;
  readonly #types = new Set<string>();

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async units(): Promise<void> {
    for (const unit of ['|u1', '<u2', '<u4', '<u8', '<c16']) await this.#make(unit, unit);
  }

  async for(copies: readonly Copy[]): Promise<void> {
    for (const { from, to } of copies) {
      const isConverted = from.typestr !== to.typestr && /[biuf]/.test(from.typestr[1] as string);
      if (isConverted && elements(to) >= LARGE_ELEMENTS) await this.#make(from.typestr, to.typestr);
    }
  }

  async #make(from: string, to: string): Promise<void> {
    if (this.#types.has(from + to)) return;
    this.#types.add(from + to);
    await transpose(this.#backend, from, to);
  }
}

/** Does NumPy's copies in memory of the backend. Resolves to the bytes of the destinations afterwards. */
async function copied(backend: Backend, copies: readonly Copy[]): Promise<readonly Uint8Array[]> {
  const from = joined(copies.map((copy) => bytes(copy.from.data)));
  const to = joined(copies.map((copy) => bytes(copy.to.data)));
  using source = await backend.array(from.all);
  using target = await backend.array(to.all);
  const at = (block: typeof source, start: number, { typestr, shape, strides, offset }: Side) =>
    makeDescriptor({
      pointer: block.pointer + BigInt(start + offset),
      shape,
      byteStrides: strides,
      dtype: dtype(typestr),
      owner: block.memory,
    });
  for (const [i, copy] of copies.entries()) {
    const destination = at(target, to.starts[i] as number, copy.to);
    const origin = at(source, from.starts[i] as number, copy.from);
    await backend.copy(destination, origin, { casting: 'unsafe' });
  }
  const after = (await backend.toTypedArray(target)) as Uint8Array;
  return copies.map((copy, i) => {
    const start = to.starts[i] as number;
    return after.subarray(start, start + bytes(copy.to.data).length);
  });
}

async function* portions(lines: AsyncIterable<string>): AsyncGenerator<readonly Copy[]> {
  let copies: Copy[] = [];
  for await (const line of lines) {
    copies.push(JSON.parse(line) as Copy);
    if (copies.length < PORTION) continue;
    yield copies;
    copies = [];
  }
  if (copies.length > 0) yield copies;
}

function made(seed: number, count: number, large: number): ChildProcess {
  const args = ['-W', 'ignore', program, String(seed), String(count), String(large)];
  return spawn(pythonOf('sycl'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

const seed = randomSeed();
// Before a release ten times as many are compared: ARRAY_INTERFACE_RUNS=10.
const CASES = [
  ['host', host, 50_000, 0],
  ['sycl', sycl, 50_000, 0],
  ['the simulator', cuda, 5_000, LARGE],
] as const;

test.each(CASES)(
  `random layouts, types and casts on %s equal NumPy's, seed ${seed}`,
  async (name, backend, usual, large) => {
    const count = runs(usual);
    const python = made(seed, count, large);
    let compared = 0;
    let largeOnes = 0;
    const compiled = new Compiled(backend);
    if (large > 0) await compiled.units();
    const lines = createInterface({ input: python.stdout as NodeJS.ReadableStream });
    for await (const copies of portions(lines)) {
      if (large > 0) await compiled.for(copies);
      for (const [i, after] of (await copied(backend, copies)).entries()) {
        const copy = copies[i] as Copy;
        const expected = bytes(copy.after);
        if (Buffer.compare(after, expected) !== 0) {
          expect(after, JSON.stringify(copy)).toEqual(expected);
        }
        compared++;
        if (elements(copy.to) >= LARGE_ELEMENTS) largeOnes++;
      }
    }
    console.log(`${compared} copies on ${name} from seed ${seed}, ${largeOnes} large: as NumPy's`);
    expect(compared).toBe(count);
    expect(largeOnes).toBeGreaterThanOrEqual((count * large) / 2);
  },
  AN_HOUR,
);
