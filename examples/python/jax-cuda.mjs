import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node jax-cuda.mjs VENV: JAX and we read each other's memory on the device; a process of JAX's reads ours, by a ticket.
const [venv] = process.argv.slice(2);
const python = startPython({ venv });
// JAX looks for /dev/nvidia0, which the simulator does not have.
const found =
  'import jax._src.hardware_utils as found; found.has_visible_nvidia_gpu = lambda: True';
python.exec(found);
const [jax, numpy] = ['jax', 'numpy'].map((name) => python.import(name));

const ours = await cuda.array([1, 2, 3], { dtype: 'float32' });
cuda.fill(ours, 4); // still running
const seen = jax.get('dlpack').callMethod('from_dlpack', [ours]); // on JAX's stream, which waits for ours
console.log(BigInt(seen.callMethod('unsafe_buffer_pointer')) === ours.pointer); // true
console.log(`${numpy.callMethod('asarray', [seen])}`); // [4. 4. 4.]

const there = jax.callMethod('device_put', [numpy.callMethod('arange', [3])]);
there.callMethod('block_until_ready'); // its dicts name no stream to wait for
const theirs = cuda.asArray(there);
console.log(await cuda.toTypedArray(theirs)); // Int32Array(3) [ 0, 1, 2 ]

const program = `
${found}
import array_interface, ctypes, jax, json, sys, types
with array_interface.open_cuda_ticket(json.load(sys.stdin)) as opened:
    # JAX takes no stream but its own: wait for the ticket's.
    ctypes.CDLL('libcuda.so.1').cuStreamSynchronize(ctypes.c_void_p(opened.stream))
    interface = {**opened.__cuda_array_interface__, 'stream': None}
    print(jax.numpy.asarray(types.SimpleNamespace(__cuda_array_interface__=interface)))
`;
const ticket = cuda.share(ours);
cuda.fill(ours, 5);
const command = path.join(venv, 'bin', 'python');
const printed = execFileSync(command, ['-c', program], { input: JSON.stringify(ticket) });
console.log(String(printed).trim()); // [5. 5. 5.]
