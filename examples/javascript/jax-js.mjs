import { host } from '@array-interface/host';
import { defaultDevice, grad, init, numpy as np } from '@jax-js/jax';

// node jax-js.mjs: jax-js differentiates a function at an array of ours. It copies in and out.
await init();
defaultDevice('wasm'); // 'webgpu' in browsers
const ours = (await host.arange(1, 5, { dtype: 'float32' })).reshape([2, 2]);
const x = np.array(await ours.asTypedArray({ dtype: 'float32' }), { shape: [...ours.shape] });
await host.fill(ours, 0); // too late for x
const gradient = grad((value) => np.sum(np.square(value)))(x);

const { shape } = gradient;
const theirs = host.asArray(await gradient.data(), { shape }); // in the copy
console.log(await theirs.toNested()); // [ [ 2, 4 ], [ 6, 8 ] ]
