import type { BackendArray } from '@array-interface/core';
import type { CudaArray, CudaBackend } from '@array-interface/cuda';
import { type HostArray, host } from '@array-interface/host';
import type { PyObject } from '@array-interface/python';
import type { World } from './world.js';

/** Exchanges the edges of a tile with the ranks to the left and the right. */
export type Exchange = () => Promise<void>;

/** halo.py, which makes MPI's datatypes of byte strides. */
export interface Halo {
  readonly world: World;
  readonly module: PyObject;
}

/** The edges of a tile: its outermost columns, which are the neighbours', and those beside them, which are its own. */
const EDGES = ['sendLeft', 'sendRight', 'getLeft', 'getRight'] as const;
type Edges<T> = Readonly<Record<(typeof EDGES)[number], T>>;

function edgesOf<A extends BackendArray>(tile: A): Edges<A> {
  const width = tile.shape[1] as number;
  const column = (at: number) => tile.slice([null, [at, at + 1]]) as A;
  return {
    sendLeft: column(1),
    sendRight: column(width - 2),
    getLeft: column(0),
    getRight: column(width - 1),
  };
}

/** An exchange between pairs of arrays in the host's memory: each edge, and the contiguous array it lies in. */
function between({ world, module }: Halo, edges: Edges<readonly [HostArray, HostArray]>): PyObject {
  const given = EDGES.flatMap((name) => edges[name].map((array) => world.python.toPython(array)));
  return module.callMethod('Halo', [world.comm, ...given]) as PyObject;
}

/**
 * An exchange in place, of a tile in memory that the host reaches: its own, or SYCL's shared memory.
 * `host.asArray` refuses any other, so no device pointer reaches MPI.
 */
export async function inPlace(halo: Halo, tile: BackendArray): Promise<Exchange> {
  await tile.synchronize();
  const base = host.asArray(tile, { sync: 'none' });
  const { sendLeft, sendRight, getLeft, getRight } = edgesOf(base);
  const edges = between(halo, {
    sendLeft: [base, sendLeft],
    sendRight: [base, sendRight],
    getLeft: [base, getLeft],
    getRight: [base, getRight],
  });
  return async () => {
    await tile.synchronize();
    edges.callMethod('exchange');
  };
}

/** An exchange through pinned memory, of a tile in a CUDA device's memory, which MPI may not know. */
export async function staged(halo: Halo, cuda: CudaBackend, tile: CudaArray): Promise<Exchange> {
  const { rank, size } = halo.world;
  const device = edgesOf(tile);
  const shape = device.getLeft.shape;
  const pinned = () => cuda.empty(shape, 'float64', { memoryKind: 'host' });
  const stage = {
    sendLeft: pinned(),
    sendRight: pinned(),
    getLeft: pinned(),
    getRight: pinned(),
  };
  await Promise.all(EDGES.map((name) => stage[name].synchronize()));
  const seen = (name: keyof Edges<unknown>) => {
    const array = host.asArray(stage[name], { sync: 'none' });
    return [array, array] as const;
  };
  const edges = between(halo, {
    sendLeft: seen('sendLeft'),
    sendRight: seen('sendRight'),
    getLeft: seen('getLeft'),
    getRight: seen('getRight'),
  });
  return async () => {
    await cuda.copy(stage.sendLeft, device.sendLeft);
    await cuda.copy(stage.sendRight, device.sendRight);
    await stage.sendLeft.synchronize();
    await stage.sendRight.synchronize();
    edges.callMethod('exchange');
    // A wall has no neighbour behind it, and stays as it is.
    if (rank > 0) await cuda.copy(device.getLeft, stage.getLeft);
    if (rank < size - 1) await cuda.copy(device.getRight, stage.getRight);
    // The next exchange must not overwrite what these still read.
    await tile.synchronize();
  };
}
