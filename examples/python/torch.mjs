import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node torch.mjs VENV: PyTorch works in our memory, by DLPack and by NumPy's interface, and we in its.
const python = startPython({ venv: process.argv[2] });
const torch = python.import('torch');
const numpy = python.import('numpy');

const ours = await host.array([1, 2, 3], { dtype: 'float32' });
const seen = torch.callMethod('from_dlpack', [python.toPython(ours)]);
const too = torch.callMethod('from_numpy', [numpy.callMethod('asarray', [python.toPython(ours)])]);
seen.callMethod('mul_', [2]);
too.callMethod('add_', [1]);
console.log(await host.toTypedArray(ours)); // Float32Array(3) [ 3, 5, 7 ]
console.log([seen, too].map((tensor) => BigInt(tensor.callMethod('data_ptr')) === ours.pointer)); // [ true, true ]

const made = torch.callMethod('arange', [6]).callMethod('reshape', [2, 3]).get('T');
const theirs = host.asArray(made, { readOnly: false });
await host.fill(theirs.slice([0]), 9);
console.log(made.toJS()); // [ [ 9, 9 ], [ 1, 4 ], [ 2, 5 ] ]
