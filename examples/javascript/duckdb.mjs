import { host } from '@array-interface/host';
import { DuckDBDataChunk, DuckDBInstance, FLOAT } from '@duckdb/node-api';

// node duckdb.mjs: the columns of a result are a matrix, and rows of a matrix are appended to a table.
const connection = await (await DuckDBInstance.create()).connect();
const reader = await connection.runAndReadAll('select i, i / 2 as half from range(3) as t(i)');
const theirs = await host.array(reader.getColumnsJS().map((column) => column.map(Number)));
console.log(await theirs.toNested()); // [ [ 0, 1, 2 ], [ 0, 0.5, 1 ] ]

await connection.run('create table points (x float, y float)');
const appender = await connection.createAppender('points');
const chunk = DuckDBDataChunk.create([FLOAT, FLOAT]);
chunk.setColumns(await theirs.toNested());
appender.appendDataChunk(chunk);
appender.closeSync();
console.log((await connection.runAndReadAll('from points')).getRowsJS()); // [ [ 0, 0 ], [ 1, 0.5 ], [ 2, 1 ] ]
