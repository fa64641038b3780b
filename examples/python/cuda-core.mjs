import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node cuda-core.mjs VENV: cuda.core has a view of our memory, and we have one of its buffers.
const python = startPython({ venv: process.argv[2] });
python.exec(`
from cuda.core import Device
from cuda.core.utils import StridedMemoryView
device = Device(0)
device.set_current()
stream = device.create_stream()
buffer = device.memory_resource.allocate(4, stream=stream)
buffer.fill(7, stream=stream)
stream.sync() # a buffer does not say which stream its work is on
view = lambda array: StridedMemoryView.from_any_interface(array, stream_ptr=int(stream.handle))
`);

const ours = await cuda.array([1, 2, 3, 4], { dtype: 'float32' });
const seen = python.eval('view').call([python.toPython(ours)]);
console.log(BigInt(seen.get('ptr')) === ours.pointer, seen.get('shape').toJS()); // true [ 4 ]

const theirs = cuda.asArray(python.eval('buffer'));
console.log(await cuda.toTypedArray(theirs)); // Int8Array(4) [ 7, 7, 7, 7 ]
