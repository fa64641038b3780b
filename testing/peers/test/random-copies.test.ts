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
import { pythonOf } from './python.js';

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const program = fileURLToPath(new URL('../python/random_copies.py', import.meta.url));
const AN_HOUR = 3_600_000;

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

/** Copies as NumPy did, in memory of the backend. Resolves to the destination's bytes afterwards. */
async function copied(backend: Backend, { from, to }: Copy): Promise<Uint8Array> {
  using source = await backend.array(bytes(from.data));
  using target = await backend.array(bytes(to.data));
  const at = (block: typeof source, { typestr, shape, strides, offset }: Side) =>
    makeDescriptor({
      pointer: block.pointer + BigInt(offset),
      shape,
      byteStrides: strides,
      dtype: dtype(typestr),
      owner: block.memory,
    });
  await backend.copy(at(target, to), at(source, from), { casting: 'unsafe' });
  return (await backend.toTypedArray(target)) as Uint8Array;
}

function made(seed: number, count: number): ChildProcess {
  const args = ['-W', 'ignore', program, String(seed), String(count)];
  return spawn(pythonOf('sycl'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

const seed = randomSeed();
// Ten times as many are compared before a release: ARRAY_INTERFACE_RUNS=10.
const CASES = [
  ['host', host, 50_000],
  ['sycl', sycl, 5_000],
  ['the simulator', cuda, 5_000],
] as const;

test.each(CASES)(
  `random layouts, types and casts on %s are NumPy's, seed ${seed}`,
  async (name, backend, usual) => {
    const count = runs(usual);
    const python = made(seed, count);
    let compared = 0;
    for await (const line of createInterface({ input: python.stdout as NodeJS.ReadableStream })) {
      const copy = JSON.parse(line) as Copy;
      const after = await copied(backend, copy);
      if (Buffer.compare(after, bytes(copy.after)) !== 0) {
        expect(after, line).toEqual(bytes(copy.after));
      }
      compared++;
    }
    console.log(`${compared} copies on ${name} from seed ${seed}: as NumPy's`);
    expect(compared).toBe(count);
  },
  AN_HOUR,
);
