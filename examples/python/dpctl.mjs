import { startPython } from '@array-interface/python';
import { sycl } from '@array-interface/sycl';

// node dpctl.mjs VENV: dpctl reads memory of this library, and this library writes dpctl's.
const python = startPython({ venv: process.argv[2] });
const memory = python.import('dpctl.memory');

const ours = await sycl.array([1, 2, 3, 4], { dtype: 'uint8' });
const seen = memory.callMethod('as_usm_memory', [python.toPython(ours)]);
console.log(seen.callMethod('copy_to_host').toJS()); // [ 1, 2, 3, 4 ]
console.log(BigInt(seen.get('_pointer')) === ours.pointer); // true

const made = memory.callMethod('MemoryUSMShared', [4]);
const theirs = sycl.asArray(made, { readOnly: false });
await sycl.fill(theirs, 7);
await theirs.synchronize(); // copy_to_host does not wait for this library's work
console.log(made.callMethod('copy_to_host').toJS()); // [ 7, 7, 7, 7 ]
