import { setImmediate as turn } from 'node:timers/promises';
import { host, liveAllocations } from '@array-interface/host';

// Prints how many undisposed arrays there were at most when only their size was reported to the garbage
// collector.
let most = 0;
for (let i = 0; i < 400; i++) {
  host.empty([1 << 26], 'uint8');
  await turn();
  most = Math.max(most, liveAllocations());
}
console.log(JSON.stringify({ most }));
