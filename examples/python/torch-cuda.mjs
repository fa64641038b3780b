import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node torch-cuda.mjs VENV: PyTorch and we work in each other's memory on the device, in stream order.
const python = startPython({ venv: process.argv[2] });
const torch = python.import('torch');
const streams = torch.get('cuda');

const ours = await cuda.array([1, 2, 3], { dtype: 'float32' });
const seen = torch.callMethod('from_dlpack', [ours]); // waits for our pending work
console.log(BigInt(seen.callMethod('data_ptr')) === ours.pointer); // true

// A pinned copy on a stream of PyTorch's own, which its dicts do not name.
const side = streams.callMethod('Stream');
const event = streams.callMethod('Event');
const pinned = torch.callMethod('tensor', [[4, 5, 6]]).callMethod('pin_memory');
streams.callMethod('set_stream', [side]);
const made = pinned.callMethod('to', ['cuda'], { non_blocking: true });
event.callMethod('record', [side]);
const theirs = cuda.asArray(made, { producerStream: BigInt(side.get('cuda_stream')) });
console.log(await cuda.toTypedArray(theirs)); // BigInt64Array(3) [ 4n, 5n, 6n ]
console.log(event.callMethod('query')); // true
