import { host } from '@array-interface/host';
import * as np from 'numpy-ts';

// node numpy-ts.mjs: arithmetic. numpy-ts computes in its own WebAssembly memory, where we read and write.
const ours = (await host.arange(1, 5, { dtype: 'float32' })).reshape([2, 2]);
const matrix = np.empty([2, 2], 'float32'); // frombuffer would copy, and as a vector
const inside = host.asArray(matrix.data, { shape: matrix.shape, elementStrides: matrix.strides });
await host.copy(inside, ours.transpose());
console.log(matrix.tolist()); // [ [ 1, 3 ], [ 2, 4 ] ]

const product = np.dot(matrix, matrix);
const { data, shape, strides: elementStrides } = product;
const theirs = host.asArray(data, { shape, elementStrides });
await host.fill(theirs.slice([0]), 0);
console.log(product.tolist()); // [ [ 0, 0 ], [ 10, 22 ] ]
console.log(theirs.memory.buffer === inside.memory.buffer); // true
