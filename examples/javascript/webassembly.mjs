import { host } from '@array-interface/host';

// node webassembly.mjs: an array in the memory of a WebAssembly module, which reads no other memory.
const memory = new WebAssembly.Memory({ initial: 1 });
const elements = new Float32Array(memory.buffer, 1024, 3); // at the address that the module gave
const inside = host.asArray(elements);
const ours = await host.array([1, 2, 3], { dtype: 'float32' });
await host.copy(inside, ours.flip());
console.log(elements); // Float32Array(3) [ 3, 2, 1 ]
console.log(inside.pointer - host.asArray(memory.buffer).pointer); // 1024n

memory.grow(1); // detaches the buffer: make the array again
await host.fill(inside, 0).catch(({ code }) => console.log(code)); // ERR_DISPOSED
