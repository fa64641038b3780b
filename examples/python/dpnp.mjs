import { startPython } from '@array-interface/python';
import { sycl } from '@array-interface/sycl';

// node dpnp.mjs VENV: dpnp computes on the device in our memory, on our queue, and we write into its.
const python = startPython({ venv: process.argv[2] });
const [dpnp, tensor] = ['dpnp', 'dpnp.tensor'].map((name) => python.import(name));

const ours = await sycl.array([1, 2, 3], { dtype: 'float32' });
const same = tensor.callMethod('asarray', [python.toPython(ours)], { copy: false });
const seen = dpnp.callMethod('asarray', [same]); // of our object itself, dpnp.asarray makes a copy
dpnp.callMethod('multiply', [seen, 2], { out: seen });
console.log(await sycl.toTypedArray(ours)); // Float32Array(3) [ 2, 4, 6 ]
console.log(BigInt(same.get('_pointer')) === ours.pointer); // true

const made = dpnp.callMethod('ones', [4], { dtype: 'float32' });
const theirs = sycl.asArray(made, { readOnly: false });
await sycl.fill(theirs, 5);
await theirs.synchronize();
console.log(dpnp.callMethod('sum', [made]).callMethod('item')); // 20
