import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node jax.mjs VENV: JAX takes our memory without a copy, since it begins at a multiple of 64 bytes.
const python = startPython({ venv: process.argv[2] });
const numpy = python.import('jax.numpy');

const ours = await host.array([1, 2, 3], { dtype: 'float32' });
const seen = numpy.callMethod('from_dlpack', [python.toPython(ours)], { copy: false });
console.log(BigInt(seen.callMethod('unsafe_buffer_pointer')) === ours.pointer); // true

const made = numpy.callMethod('add', [seen, 1]).callMethod('block_until_ready');
const theirs = host.asArray(made, { readOnly: true }); // its arrays never change; DLPack 0.x cannot say so
console.log(theirs.pointer === BigInt(made.callMethod('unsafe_buffer_pointer'))); // true
console.log(await host.toTypedArray(theirs)); // Float32Array(3) [ 2, 3, 4 ]
