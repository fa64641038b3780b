import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node numpy.mjs VENV: NumPy computes in our memory, and we read its views.
const python = startPython({ venv: process.argv[2] });
const numpy = python.import('numpy');

const ours = await host.array(
  [
    [1, 2, 3],
    [4, 5, 6],
  ],
  { dtype: 'float32' },
);
const seen = numpy.callMethod('asarray', [ours]);
numpy.callMethod('multiply', [seen, 2], { out: seen });
console.log(await host.toTypedArray(ours)); // Float32Array(6) [ 2, 4, 6, 8, 10, 12 ]

const theirs = host.asArray(numpy.callMethod('flip', [seen]));
console.log(theirs.byteStrides, theirs.pointer - ours.pointer); // [ -12, -4 ] 20n
