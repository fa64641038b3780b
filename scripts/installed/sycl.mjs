import assert from 'node:assert/strict';
import { sycl } from '@array-interface/sycl';

const row = await sycl.array([1, 2, 3], { dtype: 'float32' });
assert.deepEqual([...(await sycl.toTypedArray(row.flip(0)))], [3, 2, 1]);
