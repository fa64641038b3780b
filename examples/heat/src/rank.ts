import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Backend, BackendArray } from '@array-interface/core';
import { type HostArray, host } from '@array-interface/host';
import { type Arguments, readArguments } from './arguments.js';
import { type Exchange, type Halo, inPlace, staged } from './exchange.js';
import { type Step, stepOf } from './jacobi.js';
import { writePicture } from './picture.js';
import { shareOf } from './share.js';
import { joinWorld, type World } from './world.js';

const PYTHON = fileURLToPath(new URL('../python', import.meta.url));

/** One of two tiles, the exchange of its edges, and the step from it to the other. */
interface Side {
  readonly tile: BackendArray;
  readonly exchange: Exchange;
  readonly step: Step;
}

type Sides = readonly [Side, Side];

/** Runs a rank in Node. If it throws, the whole job ends. */
export async function run(args: readonly string[]): Promise<void> {
  const given = readArguments(args);
  const world = joinWorld(given.venv);
  world.python.exec(`import sys; sys.path.insert(0, ${JSON.stringify(PYTHON)})`);
  const halo = { world, module: world.python.import('halo') };
  const { first, end } = shareOf(given.columns, world.rank, world.size);
  const sides = await makeSides(given, halo, first, end);
  const start = performance.now();
  const last = await compute(given.steps, sides);
  const milliseconds = performance.now() - start;
  const inner = await host.array(last.slice([null, [1, end - first + 1]]));
  const field = await gather(given, halo, inner);
  if (field !== null) await report(given, world, field, milliseconds);
}

/** The first tile: the upper row is hot, all else is cold. A column on either side belongs to a neighbour, or is a wall. */
function startOf({ rows }: Arguments, width: number): Float64Array {
  return new Float64Array(rows * width).fill(1, 0, width);
}

async function makeSides(given: Arguments, halo: Halo, first: number, end: number): Promise<Sides> {
  const width = end - first + 2;
  const values = startOf(given, width);
  const shape = [given.rows, width] as const;
  if (given.memory === 'cuda') {
    const cuda = await loadCuda();
    const make = async () => cuda.array(values, { shape });
    return sidesOf(cuda, [await make(), await make()], (tile) => staged(halo, cuda, tile));
  }
  const backend: Backend = given.memory === 'sycl' ? await loadSycl() : host;
  const kind = given.memory === 'sycl' ? ({ memoryKind: 'shared' } as const) : {};
  const make = async () => backend.array(values, { shape, ...kind });
  return sidesOf(backend, [await make(), await make()], (tile) => inPlace(halo, tile));
}

async function sidesOf<A extends BackendArray>(
  backend: Backend,
  [one, other]: readonly [A, A],
  exchangeOf: (tile: A) => Promise<Exchange>,
): Promise<Sides> {
  const side = async (tile: A, next: A): Promise<Side> => {
    return { tile, exchange: await exchangeOf(tile), step: stepOf(backend, tile, next) };
  };
  return [await side(one, other), await side(other, one)];
}

async function loadSycl() {
  return (await import('@array-interface/sycl')).sycl;
}

/** CUDA, on the simulator if the machine has no driver. */
async function loadCuda() {
  const { cuda } = await import('@array-interface/cuda');
  const { libraryPath } = await import('@array-interface/cuda-simulator');
  if (!cuda.availability.available) process.env['ARRAY_INTERFACE_LIBCUDA'] = libraryPath;
  return cuda;
}

/** Takes all steps. Returns the tile with the last one. */
async function compute(steps: number, sides: Sides): Promise<BackendArray> {
  for (let taken = 0; taken < steps; taken++) {
    const { exchange, step } = sides[(taken % 2) as 0 | 1];
    await exchange();
    await step();
  }
  const { tile } = sides[(steps % 2) as 0 | 1];
  await tile.synchronize();
  return tile;
}

/** The whole field, in rank 0; null in the others, which send their columns there. */
async function gather(given: Arguments, { world, module }: Halo, inner: HostArray) {
  const { python, comm, rank, size } = world;
  if (rank > 0) {
    const sent = python.toPython(inner);
    module.callMethod('send', [comm, sent, sent, 0]);
    return null;
  }
  const field = host.empty([given.rows, given.columns], 'float64');
  const columnsOf = (other: number) => {
    const { first, end } = shareOf(given.columns, other, size);
    return field.slice([null, [first, end]]);
  };
  await host.copy(columnsOf(0), inner);
  for (let other = 1; other < size; other++) {
    const [whole, part] = [python.toPython(field), python.toPython(columnsOf(other))];
    module.callMethod('receive', [comm, whole, part, other]);
  }
  return field;
}

async function report(given: Arguments, { size }: World, field: HostArray, milliseconds: number) {
  const values = (await host.toTypedArray(field)) as Float64Array;
  await writePicture(values, given.columns, given.out);
  const hash = createHash('sha256').update(values).digest('hex');
  console.log(
    `ranks ${size}, ${given.memory} memory: ${given.steps} steps in ${milliseconds.toFixed(0)} ms`,
  );
  console.log(`field ${hash}`);
  console.log(`picture ${given.out}`);
}
