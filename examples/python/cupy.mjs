import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node cupy.mjs VENV: CuPy computes on our array, and we read its own, in stream order.
const python = startPython({ venv: process.argv[2] });
const cupy = python.import('cupy');
const stream = cupy.get('cuda').callMethod('Stream', [], { non_blocking: true });

const ours = await cuda.array([1, 2, 3], { dtype: 'float32' });
stream.callMethod('use');
const seen = cupy.callMethod('asarray', [ours]); // waits for our pending work
console.log(BigInt(seen.get('data').get('ptr')) === ours.pointer); // true

const doubled = cupy.callMethod('add', [seen, seen]);
const theirs = cuda.asArray(doubled); // waits for CuPy's stream, which the dict names
console.log(await cuda.toTypedArray(theirs)); // Float32Array(3) [ 2, 4, 6 ]
