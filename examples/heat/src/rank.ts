import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Backend, BackendArray } from '@array-interface/core';
import { type HostArray, host } from '@array-interface/host';
import { type Arguments, readArguments } from './arguments.js';
import { type Exchange, type Halo, inPlace, staged } from './exchange.js';
import { step } from './jacobi.js';
import { writePicture } from './picture.js';
import { shareOf } from './share.js';
import { joinWorld, type World } from './world.js';

const PYTHON = fileURLToPath(new URL('../python', import.meta.url));

/** Two tiles, from one to the other and back, and the exchange of each. */
interface Tiles {
  readonly backend: Backend;
  readonly tiles: readonly [BackendArray, BackendArray];
  readonly exchanges: readonly [Exchange, Exchange];
}

/** Runs a rank in Node. If it throws, the whole job ends. */
export async function run(args: readonly string[]): Promise<void> {
  const given = readArguments(args);
  const world = joinWorld(given.venv);
  world.python.exec(`import sys; sys.path.insert(0, ${JSON.stringify(PYTHON)})`);
  const halo = { world, module: world.python.import('halo') };
  const { first, end } = shareOf(given.columns, world.rank, world.size);
  const tiles = await makeTiles(given, halo, first, end);
  const start = performance.now();
  const last = await compute(given.steps, tiles);
  const milliseconds = performance.now() - start;
  const inner = await host.array(last.slice([null, [1, end - first + 1]]));
  const field = await gather(given, halo, inner);
  if (field !== null) await report(given, world, field, milliseconds);
}

/** The first tile: the upper row is hot, all else is cold. A column on either side belongs to a neighbour, or is a wall. */
function startOf({ rows }: Arguments, width: number): Float64Array {
  return new Float64Array(rows * width).fill(1, 0, width);
}

async function makeTiles(given: Arguments, halo: Halo, first: number, end: number): Promise<Tiles> {
  const width = end - first + 2;
  const values = startOf(given, width);
  const shape = [given.rows, width] as const;
  if (given.memory === 'cuda') {
    const cuda = await loadCuda();
    const make = async () => cuda.array(values, { shape });
    const tiles = [await make(), await make()] as const;
    const exchanges = [
      await staged(halo, cuda, tiles[0]),
      await staged(halo, cuda, tiles[1]),
    ] as const;
    return { backend: cuda, tiles, exchanges };
  }
  const backend: Backend = given.memory === 'sycl' ? await loadSycl() : host;
  const kind = given.memory === 'sycl' ? ({ memoryKind: 'shared' } as const) : {};
  const make = async () => backend.array(values, { shape, ...kind });
  const tiles = [await make(), await make()] as const;
  return {
    backend,
    tiles,
    exchanges: [await inPlace(halo, tiles[0]), await inPlace(halo, tiles[1])],
  };
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
async function compute(steps: number, { backend, tiles, exchanges }: Tiles): Promise<BackendArray> {
  let [now, next] = tiles;
  let [exchange, exchangeNext] = exchanges;
  for (let taken = 0; taken < steps; taken++) {
    await exchange();
    await step(backend, now, next);
    [now, next] = [next, now];
    [exchange, exchangeNext] = [exchangeNext, exchange];
  }
  await now.synchronize();
  return now;
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
