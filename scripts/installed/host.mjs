import assert from 'node:assert/strict';
import { host } from '@array-interface/host';

const row = await host.array([1, 2, 3], { dtype: 'float32' });
assert.deepEqual([...(await host.toTypedArray(row.flip(0)))], [3, 2, 1]);
