import { host } from '@array-interface/host';
import koffi from 'koffi';

// node koffi.mjs: the C library writes into an array of ours, and memory that it allocates is an array.
const c = koffi.load(null); // what Node has loaded
const memset = c.func('void *memset(void *to, int byte, size_t length)');
const ours = await host.array([1, 2, 3], { dtype: 'float32' });
const elements = await ours.asTypedArray({ dtype: 'float32' });
console.log(koffi.address(elements) === ours.pointer); // true
memset(elements, 0, 8);
console.log(elements); // Float32Array(3) [ 0, 0, 3 ]

const address = koffi.address(c.func('void *calloc(size_t count, size_t size)')(4, 2));
const __array_interface__ = { version: 3, shape: [4], typestr: '<i2', data: [address, false] };
const theirs = host.asArray({ __array_interface__ }); // checked: it must be mapped, and writable
await host.fill(theirs, 258);
console.log(new Uint8Array(koffi.view(address, 4))); // Uint8Array(4) [ 2, 1, 2, 1 ]
