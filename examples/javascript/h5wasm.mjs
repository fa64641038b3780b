import { host } from '@array-interface/host';
import * as h5wasm from 'h5wasm/node';

// node h5wasm.mjs: HDF5 stores an array of ours, and what it reads is an array. h5wasm copies both times.
await h5wasm.ready;
const ours = (await host.arange(1, 7, { dtype: 'float32' })).reshape([2, 3]);
const file = new h5wasm.File('matrix.h5', 'w');
file.create_dataset({ name: 'matrix', data: await ours.asTypedArray(), shape: [...ours.shape] });

const matrix = file.get('matrix');
const theirs = host.asArray(matrix.value, { shape: matrix.shape }); // in the copy
await host.fill(theirs.slice([null, 0]), 0);
console.log(await theirs.toNested()); // [ [ 0, 2, 3 ], [ 0, 5, 6 ] ]
console.log(matrix.value); // Float32Array(6) [ 1, 2, 3, 4, 5, 6 ]
file.close();
