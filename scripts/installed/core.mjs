import assert from 'node:assert/strict';
import { flip, fromProducer, toCudaArrayInterface } from '@array-interface/core';

const dict = { version: 3, shape: [4, 6], typestr: '<f4', data: [4096, false] };
const flipped = flip(fromProducer({ __cuda_array_interface__: dict }), 0);
assert.deepEqual(toCudaArrayInterface(flipped).strides, [-24, 4]);
