import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node numba-cuda.mjs VENV: a kernel of Numba works in our memory, and we read what Numba uploads.
const python = startPython({ venv: process.argv[2] });
python.exec(`
import numpy
from numba import cuda
@cuda.jit
def double(values):
    i = cuda.grid(1)
    if i < values.size:
        values[i] *= 2
`);
const numba = python.import('numba.cuda');

const ours = await cuda.array([1, 2, 3, 4], { dtype: 'float32' });
const seen = numba.callMethod('as_cuda_array', [python.toPython(ours)]);
const double = python.eval('double').getItem(1, 32, seen.get('stream')); // double[1, 32, stream]
double.call([seen]); // in the order of all our work
console.log(await cuda.toTypedArray(ours)); // Float32Array(4) [ 2, 4, 6, 8 ]
const pointer = seen.get('gpu_data').get('device_pointer_value');
console.log(BigInt(pointer) === ours.pointer); // true

const made = numba.callMethod('to_device', [python.eval('numpy.arange(3.0)')]); // on Numba's default stream
console.log(await cuda.toTypedArray(cuda.asArray(made))); // Float64Array(3) [ 0, 1, 2 ]
