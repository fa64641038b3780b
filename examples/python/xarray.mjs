import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node xarray.mjs VENV: an array with names on its axes, over our memory.
const python = startPython({ venv: process.argv[2] });
const xarray = python.import('xarray');

const ours = await host.array(
  [
    [1, 2, 3],
    [4, 5, 6],
  ],
  { dtype: 'float32' },
);
const values = python.toPython(ours, { as: 'numpy' });
const options = { dims: ['day', 'city'], coords: { city: ['Rome', 'Oslo', 'Lima'] } };
const named = xarray.callMethod('DataArray', [values], options);
console.log(named.callMethod('mean', ['day']).get('values').toJS()); // [ 2.5, 3.5, 4.5 ]

const oslo = host.asArray(named.callMethod('sel', [], { city: 'Oslo' })); // in place
console.log(await host.toTypedArray(oslo), oslo.pointer - ours.pointer); // Float32Array(2) [ 2, 5 ] 4n
