import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node torch-cuda.mjs VENV: PyTorch and we work in each other's memory, in stream order; a process of PyTorch's, by a ticket.
const [venv] = process.argv.slice(2);
const python = startPython({ venv });
const torch = python.import('torch');
const streams = torch.get('cuda');

const ours = await cuda.array([1, 2, 3], { dtype: 'float32' });
const seen = torch.callMethod('from_dlpack', [ours]); // waits for our pending work
console.log(BigInt(seen.callMethod('data_ptr')) === ours.pointer); // true

// A pinned copy on a stream of PyTorch's own. DLPack's C functions name its current one.
const side = streams.callMethod('Stream');
const event = streams.callMethod('Event');
const pinned = torch.callMethod('tensor', [[4, 5, 6]]).callMethod('pin_memory');
streams.callMethod('set_stream', [side]);
const made = pinned.callMethod('to', ['cuda'], { non_blocking: true });
event.callMethod('record', [side]);
const theirs = cuda.asArray(made); // waits for that stream
console.log(await cuda.toTypedArray(theirs)); // BigInt64Array(3) [ 4n, 5n, 6n ]
console.log(event.callMethod('query')); // true

const program = `
import array_interface, json, sys, torch
with array_interface.open_cuda_ticket(json.load(sys.stdin)) as opened:
    with torch.cuda.stream(torch.cuda.ExternalStream(opened.stream)): # in the order of all our work
        torch.as_tensor(opened, device='cuda')[1:] = torch.tensor([7.0, 8.0])
`;
const ticket = cuda.share(ours);
cuda.fill(ours, 5);
const command = path.join(venv, 'bin', 'python');
execFileSync(command, ['-c', program], { input: JSON.stringify(ticket) });
console.log(await cuda.toTypedArray(ours)); // Float32Array(3) [ 5, 7, 8 ]
