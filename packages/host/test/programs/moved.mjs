import { setTimeout as pause } from 'node:timers/promises';
import { host, liveAllocations } from '@array-interface/host';

// Moves a buffer out of an array's typed array, disposes the array, and reads what was moved; reads
// nothing if Node moves nothing. Then drops both buffers.
const array = await host.array(new Uint8Array(4096).fill(7));
let { buffer } = await array.asTypedArray();
let moved = buffer.transfer?.() ?? null;
array[Symbol.dispose]();
for (let i = 0; i < 10; i++) {
  globalThis.gc();
  await pause(1);
}
const first = moved && new Uint8Array(moved)[4095];
const during = liveAllocations();
moved = null;
buffer = null;
for (let i = 0; i < 1000 && liveAllocations() > 0; i++) {
  globalThis.gc();
  await pause(1);
}
console.log(JSON.stringify({ first, during, left: liveAllocations() }));
