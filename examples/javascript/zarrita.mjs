import { host } from '@array-interface/host';
import * as zarr from 'zarrita';

// node zarrita.mjs: what zarrita reads is an array, and zarrita writes arrays of ours.
const settings = { shape: [4, 3], chunkShape: [2, 3], dtype: 'float32' };
const stored = await zarr.create(zarr.root(new Map()), settings);
const ours = (await host.arange(1, 7, { dtype: 'float32' })).reshape([2, 3]);
const data = await ours.asTypedArray({ dtype: 'float32' });
console.log(host.asArray(data).pointer === ours.pointer); // true
await zarr.set(stored, [zarr.slice(0, 2), null], { data, shape: [2, 3], stride: [3, 1] });

const read = await zarr.get(stored, [zarr.slice(0, 2), null]);
const theirs = host.asArray(read.data, { shape: read.shape, elementStrides: read.stride });
await host.fill(theirs.slice([0]), 7);
console.log(read.data); // Float32Array(6) [ 7, 7, 7, 4, 5, 6 ]
