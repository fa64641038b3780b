import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node jax-cuda.mjs VENV: JAX and we read each other's memory on the device.
const python = startPython({ venv: process.argv[2] });
// JAX looks for /dev/nvidia0, which the simulator does not have.
python.exec('import jax._src.hardware_utils as found; found.has_visible_nvidia_gpu = lambda: True');
const [jax, numpy] = ['jax', 'numpy'].map((name) => python.import(name));

const ours = await cuda.array([1, 2, 3], { dtype: 'float32' });
const seen = jax.get('dlpack').callMethod('from_dlpack', [ours]); // on JAX's stream, which waits for ours
console.log(BigInt(seen.callMethod('unsafe_buffer_pointer')) === ours.pointer); // true

const there = jax.callMethod('device_put', [numpy.callMethod('arange', [3])]);
there.callMethod('block_until_ready'); // its dicts name no stream to wait for
const theirs = cuda.asArray(there);
console.log(await cuda.toTypedArray(theirs)); // Int32Array(3) [ 0, 1, 2 ]
