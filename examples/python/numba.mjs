import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node numba.mjs VENV: a function that Numba compiles for the CPU works in our memory.
const python = startPython({ venv: process.argv[2] });
python.exec(`
import numba, numpy
@numba.njit
def running_sum(values):
    for i in range(1, values.size):
        values[i] += values[i - 1]
`);

const ours = await host.array([1, 2, 3, 4], { dtype: 'float32' });
const seen = python.import('numpy').callMethod('asarray', [python.toPython(ours)]);
python.eval('running_sum').call([seen]);
console.log(await host.toTypedArray(ours)); // Float32Array(4) [ 1, 3, 6, 10 ]
