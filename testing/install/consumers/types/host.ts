import type { OwnedArray } from '@array-interface/core';
import { type HostArray, HostQueue, host, liveAllocations } from '@array-interface/host';

const row: OwnedArray<HostArray> = await host.array([1, 2, 3], { dtype: 'float32' });
const view: HostArray = row.flip(0);
const values: Float32Array = await host.toTypedArray(view, { dtype: 'float32' });
// @ts-expect-error: a misspelt option
await host.array([1, 2, 3], { dytpe: 'float32' });
// @ts-expect-error: not a dtype
await host.array([1, 2, 3], { dtype: 32 });
// @ts-expect-error: the types of the elements differ
const wrong: Int32Array = await host.toTypedArray(view, { dtype: 'float32' });
// @ts-expect-error: internal
row.memory.retain();
await host.copy(row, host.empty([3], 'float32'), { casting: 'safe', threads: 2 });
row[Symbol.dispose]();
export const live: number = liveAllocations();
export { HostQueue, values, wrong };
