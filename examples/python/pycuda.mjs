import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node pycuda.mjs VENV: PyCUDA copies from our memory, and we read its arrays.
const python = startPython({ venv: process.argv[2] });
python.import('pycuda.autoprimaryctx'); // the device's primary context, which all share
const driver = python.import('pycuda.driver');

const ours = await cuda.array([1, 2, 3], { dtype: 'float32' });
await ours.synchronize(); // PyCUDA ignores the stream in the dict
const dict = python.toPython(ours).get('__cuda_array_interface__');
const seen = python.import('numpy').callMethod('empty', [3, 'float32']);
driver.callMethod('memcpy_dtoh', [seen, dict.getItem('data').getItem(0)]);
console.log(seen.toJS()); // [ 1, 2, 3 ]

const made = python.import('pycuda.gpuarray').callMethod('to_gpu', [seen]);
const theirs = cuda.asArray(made);
console.log(theirs.pointer === BigInt(made.get('ptr'))); // true
console.log(await cuda.toTypedArray(theirs)); // Float32Array(3) [ 1, 2, 3 ]
