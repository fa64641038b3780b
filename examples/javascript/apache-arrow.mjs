import { host } from '@array-interface/host';
import { makeVector, Table, tableFromIPC, tableToIPC } from 'apache-arrow';

// node apache-arrow.mjs: rows of a matrix are columns of a table, and a column of a file is an array.
const matrix = (await host.arange(1, 7, { dtype: 'float32' })).reshape([2, 3]);
const y = makeVector(await matrix.slice([1]).asTypedArray({ dtype: 'float32' }));
console.log(host.asArray(y.data[0].values).pointer === matrix.slice([1]).pointer); // true
const file = tableToIPC(new Table({ y }));

const [batch] = tableFromIPC(file).getChild('y').data; // a column has one for each record batch
console.log(batch.nullCount); // 0
const theirs = host.asArray(batch.values, { shape: [batch.length] }); // values are padded
console.log(theirs.memory.buffer === file.buffer); // true
console.log(await theirs.toNested()); // [ 4, 5, 6 ]
