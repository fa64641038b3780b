import { fromCudaArrayInterface, slice, toSyclUsmArrayInterface } from '@array-interface/core';
import { host } from '@array-interface/host'; // or { cuda }, or { sycl }: the same calls

const data = [0x7f0000000000, false]; // a dict as Numba, CuPy or PyTorch hand it over
const matrix = fromCudaArrayInterface({ version: 3, shape: [4, 6], typestr: '<f4', data });
const column = slice(matrix, [[null, null, -1], 2]); // a view, from the last row to the first
console.log(column.byteStrides, column.elementStrides); // [ -24 ] [ -6 ]
console.log(toSyclUsmArrayInterface(column, { syclobj: 'gpu' }).strides); // [ -6 ]

using row = await host.array([1, 2, 3], { dtype: 'float32' }); // memory of a backend, given back at the end
console.log(await host.toTypedArray(row.flip(0))); // Float32Array(3) [ 3, 2, 1 ]
