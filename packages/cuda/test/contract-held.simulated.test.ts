import { backendContract } from '@array-interface/contract';
import { cuda, liveAllocations } from '@array-interface/cuda';
import { afterAll, beforeAll } from 'vitest';
import { addon } from '../src/addon.js';
import { holdDevice } from './support/held-device.js';

// The whole contract beside another library's kernel that does not end: nothing of it may wait for the
// device as a whole. What does would hang here, and the event loop with it.
let held: Disposable | null = null;
beforeAll(() => {
  cuda.devices();
  held = holdDevice(0);
});
afterAll(() => held?.[Symbol.dispose]());

backendContract('cuda beside a held device', {
  backend: cuda,
  // Memory that the cache has no room for stays allocated until the device is idle.
  liveAllocations: () => liveAllocations() - addon().liveCounts().releasing,
  inPlace: ['host', 'shared'],
  runs: 10,
});
