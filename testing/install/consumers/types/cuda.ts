import type { OwnedArray } from '@array-interface/core';
import { type CudaArray, cuda, type MemoryPool, type Stream } from '@array-interface/cuda';

const stream: Stream = cuda.createStream({ nonBlocking: true });
const pool: MemoryPool = cuda.createPool();
const row: OwnedArray<CudaArray> = await cuda.array([1, 2, 3], {
  dtype: 'float32',
  queue: stream,
  pool,
});
const { shape, stream: named } = row.__cuda_array_interface__;
const values: Float32Array = await cuda.toTypedArray(row.flip(0), { dtype: 'float32' });
// @ts-expect-error: a misspelt option
cuda.empty([3], 'float32', { plool: pool });
// @ts-expect-error: a stream of ours, a handle or an object that has one
cuda.stream('7');
// @ts-expect-error: internal
stream.isKept;
await cuda.settle(row, { signal: AbortSignal.timeout(1000) });
row[Symbol.dispose]();
pool[Symbol.dispose]();
stream[Symbol.dispose]();

export { named, shape, values };
