import { setImmediate as turn } from 'node:timers/promises';
import { host, liveAllocations } from '@array-interface/host';

// Prints how many undisposed arrays are left after a forced collection, and how many there were at
// most when the garbage collector was only told of their size.
const kept = host.empty([16], 'uint8');
for (let i = 0; i < 200; i++) host.empty([1 << 16], 'uint8').flip();
const before = liveAllocations();
for (let i = 0; i < 10 && liveAllocations() > 1; i++) {
  globalThis.gc();
  await turn();
}
const after = liveAllocations();
let most = 0;
for (let i = 0; i < 400; i++) {
  host.empty([1 << 26], 'uint8');
  await turn();
  most = Math.max(most, liveAllocations());
}
kept[Symbol.dispose]();
console.log(JSON.stringify({ before, after, most }));
