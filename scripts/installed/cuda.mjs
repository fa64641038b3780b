import assert from 'node:assert/strict';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';

process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath;
const row = await cuda.array([1, 2, 3], { dtype: 'float32' });
assert.deepEqual([...(await cuda.toTypedArray(row.flip(0)))], [3, 2, 1]);
