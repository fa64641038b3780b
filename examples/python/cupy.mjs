import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node cupy.mjs VENV: CuPy computes on our array, and we read its own, in stream order; a process of CuPy's, by a ticket.
const [venv] = process.argv.slice(2);
const python = startPython({ venv });
const cupy = python.import('cupy');
const stream = cupy.get('cuda').callMethod('Stream', [], { non_blocking: true });

const ours = await cuda.array([1, 2, 3], { dtype: 'float32' });
stream.callMethod('use');
const seen = cupy.callMethod('asarray', [ours]); // waits for our pending work
cuda.fill(ours.slice([[0, 1]]), 10);
const taken = cupy.callMethod('from_dlpack', [ours]); // so does this
const pointers = [seen, taken].map((one) => BigInt(one.get('data').get('ptr')));
console.log(pointers.every((pointer) => pointer === ours.pointer)); // true

const doubled = cupy.callMethod('add', [seen, taken]);
const theirs = cuda.asArray(doubled); // waits for CuPy's stream, which the dict names
console.log(await cuda.toTypedArray(theirs)); // Float32Array(3) [ 20, 4, 6 ]

const program = `
import array_interface, cupy, json, sys
with array_interface.open_cuda_ticket(json.load(sys.stdin)) as opened:
    with cupy.cuda.ExternalStream(opened.stream): # in the order of all our work
        cupy.asarray(opened)[1:] *= 10
`;
const ticket = cuda.share(ours);
cuda.fill(ours, 5);
const command = path.join(venv, 'bin', 'python');
execFileSync(command, ['-c', program], { input: JSON.stringify(ticket) });
console.log(await cuda.toTypedArray(ours)); // Float32Array(3) [ 5, 50, 50 ]
