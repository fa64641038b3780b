import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node polars.mjs VENV: a column of polars as our array, and a table of ours.
const python = startPython({ venv: process.argv[2] });
const polars = python.import('polars');

const prices = await host.array([3, 4, 5], { dtype: 'float64' });
const table = polars.callMethod('DataFrame', [
  { price: python.toPython(prices, { as: 'numpy' }), name: ['tea', 'jam', 'bread'] },
]);
const dear = table.callMethod('filter', [polars.callMethod('col', ['price']).gt(3)]);
console.log(dear.callMethod('rows').toJS()); // [ [ 4, 'jam' ], [ 5, 'bread' ] ]

const theirs = host.asArray(table.getItem('price')); // in place: its __array__ does not copy
console.log(await host.toTypedArray(theirs)); // Float64Array(3) [ 3, 4, 5 ]
