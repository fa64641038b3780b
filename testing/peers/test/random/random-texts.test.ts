import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import {
  type AllCloseOptions,
  type Backend,
  type BackendArray,
  type DTypeLike,
  dtype,
  makeDescriptor,
  type TextOptions,
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
  new URL('../../python/random_cases/random_texts.py', import.meta.url),
);
const AN_HOUR = 3_600_000;
/** The most bytes that `console.log` shows. */
const MOST_BYTES = 2 ** 20;

/** Elements in C order; the data is base64. */
interface Side {
  readonly dtype: DTypeLike;
  readonly shape: readonly number[];
  readonly data: string;
}

/** What NumPy prints for an array, and whether another array is close to it. */
interface Case extends Side {
  readonly limits: TextOptions;
  readonly str: string;
  readonly repr: string;
  /** A byte for each element: 0 where a mask leaves it out. */
  readonly valid?: string;
  readonly masked?: string;
  readonly other?: Side;
  readonly tolerance?: AllCloseOptions;
  readonly isClose?: boolean;
}

/** Returns the elements in an array whose axes lie in another order in memory. */
async function laidOut(backend: Backend, { shape, data, ...side }: Side, turn: number) {
  const type = dtype(side.dtype);
  const buffer = new Uint8Array(Buffer.from(data, 'base64')).buffer;
  const axes = shape.map((_, axis) => (axis + turn) % Math.max(1, shape.length));
  const inverse = axes.map((_, axis) => axes.indexOf(axis));
  const owner = backend.empty(
    axes.map((axis) => shape[axis] as number),
    type,
  );
  const view = owner.permuteDims(inverse) as BackendArray;
  await backend.copy(view, makeDescriptor({ pointer: 0n, buffer, shape, dtype: type }));
  return { owner, view };
}

/** Returns the text of an array with a mask, in the backend's memory, that lies in another order. */
async function maskedText(
  backend: Backend,
  { shape, valid = '', limits }: Case,
  view: BackendArray,
) {
  const mask = await laidOut(backend, { dtype: 'uint8', shape, data: valid }, 1);
  using _ = mask.owner;
  const { pointer, byteStrides, dtype: type, memory } = view;
  const layout = { pointer, shape, byteStrides, dtype: type, owner: memory };
  const masked = makeDescriptor({ ...layout, mask: mask.view.descriptor });
  using array = backend.asArray(masked);
  return await array.toText(limits);
}

async function compare(backend: Backend, one: Case, turn: number): Promise<void> {
  const { owner, view } = await laidOut(backend, one, turn);
  using _ = owner;
  const { dtype: type, shape, limits } = one;
  const said = JSON.stringify({ type, shape, limits, turn });
  expect(await view.toText(one.limits), said).toBe(one.str);
  const isShown = view.nbytes <= MOST_BYTES && Object.keys(one.limits).length === 0;
  if (backend.name === 'host' && isShown) expect(inspect(view), said).toBe(one.repr);
  if (one.valid !== undefined) expect(await maskedText(backend, one, view), said).toBe(one.masked);
  if (one.other === undefined) return;
  const other = await laidOut(backend, one.other, turn);
  using __ = other.owner;
  expect(await backend.allClose(view, other.view, one.tolerance), said).toBe(one.isClose);
}

const seed = randomSeed();
const CASES = [
  ['host', host, 10_000],
  ['sycl', sycl, 1000],
  ['the simulator', cuda, 1000],
] as const;

test.each(CASES)(
  `texts of random arrays on %s, and allClose, are NumPy's, seed ${seed}`,
  async (name, backend, usual) => {
    const args = ['-W', 'ignore', program, String(seed), String(runs(usual))];
    const python = spawn(pythonOf('sycl'), args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let compared = 0;
    for await (const line of createInterface({ input: python.stdout })) {
      await compare(backend, JSON.parse(line) as Case, compared % 3);
      compared++;
    }
    console.log(`${compared} texts on ${name} from seed ${seed}: NumPy's`);
    expect(compared).toBe(runs(usual));
  },
  AN_HOUR,
);
