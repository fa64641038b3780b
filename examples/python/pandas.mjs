import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node pandas.mjs VENV: a column over our memory, and columns as our arrays.
const python = startPython({ venv: process.argv[2] });
const pandas = python.import('pandas');

const prices = await host.array([3, 4, 5], { dtype: 'float64' });
const column = pandas.callMethod('Series', [python.toPython(prices, { as: 'numpy' })], {
  copy: false,
});
const table = pandas.callMethod('DataFrame', [{ price: column, name: ['tea', 'jam', 'bread'] }]);
console.log(table.getItem('price').callMethod('mean') + 0); // 4
const dear = table.getItem(table.getItem('price').gt(3));
console.log(dear.callMethod('to_dict', ['records']).toJS()); // [ { price: 4, name: 'jam' }, { price: 5, name: 'bread' } ]

const theirs = host.asArray(table.getItem('price').callMethod('to_numpy'));
console.log(await host.toTypedArray(theirs)); // Float64Array(3) [ 3, 4, 5 ]
