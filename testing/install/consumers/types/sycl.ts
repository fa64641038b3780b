import type { OwnedArray } from '@array-interface/core';
import { findLibraries, type SyclArray, type SyclQueue, sycl } from '@array-interface/sycl';

const queue: SyclQueue = sycl.createQueue({ device: 0 });
const row: OwnedArray<SyclArray> = await sycl.array([1, 2, 3], { dtype: 'float32', queue });
const { shape } = row.__sycl_usm_array_interface__;
const values: Float32Array = await sycl.toTypedArray(row.flip(0), { dtype: 'float32' });
// @ts-expect-error: a misspelt option
sycl.empty([3], 'float32', { alignement: 64 });
// @ts-expect-error: no such kind of memory
sycl.empty([3], 'float32', { memoryKind: 'managed' });
sycl.on('error', ({ code, message }) => tell(code, message));
row[Symbol.dispose]();
const tried: string[] = [];
const libraries = [...findLibraries({ env: { PATH: '/usr/bin' }, folders: ['.'] }, tried)];
function tell(...words: string[]): void {
  tried.push(...words);
}

export { libraries, shape, values };
