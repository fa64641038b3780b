import { host } from '@array-interface/host';
import polars from 'nodejs-polars';

// node nodejs-polars.mjs: an array is a series, and a series is an array. Polars copies both times.
const ours = await host.array([3, 1, 2], { dtype: 'float32' });
const series = polars.Series('x', await ours.asTypedArray({ dtype: 'float32' }));
await host.fill(ours, 0);
console.log(series.toArray()); // [ 3, 1, 2 ]

const values = series.sort().toTypedArray();
const theirs = host.asArray(values); // in the copy
await host.fill(theirs.slice([0]), 7);
console.log(values); // Float32Array(3) [ 7, 2, 3 ]
