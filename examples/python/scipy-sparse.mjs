import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node scipy-sparse.mjs VENV: a sparse matrix of our three arrays, and its product.
const python = startPython({ venv: process.argv[2] });
const sparse = python.import('scipy.sparse');

const numbers = (list, dtype) => host.array(list, { dtype });
const parts = [
  await numbers([1, 2, 3], 'float64'),
  await numbers([0, 2, 1], 'int32'),
  await numbers([0, 2, 3], 'int32'),
];
const csr = python.tuple(parts.map((part) => python.toPython(part, { as: 'numpy' })));
const matrix = sparse.callMethod('csr_matrix', [csr], { shape: python.tuple([2, 3]) });
console.log(matrix.callMethod('toarray').toJS()); // [ [ 1, 0, 2 ], [ 0, 3, 0 ] ]
const product = host.asArray(
  matrix.matmul(python.toPython(await numbers([1, 1, 1], 'float64'), { as: 'numpy' })),
);
console.log(await host.toTypedArray(product)); // Float64Array(2) [ 3, 3 ]
