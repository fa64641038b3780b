import { host } from '@array-interface/host';
import ndarray from '@stdlib/ndarray-base-ctor'; // also in @stdlib/ndarray

// node stdlib.mjs: an ndarray of stdlib over our memory, and an array of ours over a view of an ndarray.
const ours = (await host.arange(1, 5, { dtype: 'float32' })).reshape([2, 2]);
const data = await ours.asTypedArray({ dtype: 'float32' });
const seen = ndarray('float32', data, ours.shape, ours.elementStrides, 0, 'row-major');
seen.set(1, 0, 30);
console.log(await ours.toNested()); // [ [ 1, 2 ], [ 30, 4 ] ]
console.log(host.asArray(seen.data).pointer === ours.pointer); // true

const view = ndarray('float32', data, [2, 2], [-2, 1], 2, 'row-major'); // the last row first
const { shape, strides: elementStrides, offset: elementOffset } = view;
const theirs = host.asArray(view.data, { shape, elementStrides, elementOffset });
console.log(await theirs.toNested()); // [ [ 30, 4 ], [ 1, 2 ] ]
