import { backendContract } from '@array-interface/contract';
import { type HostQueue, host, liveAllocations } from '@array-interface/host';
import { Held } from './support/c-functions.js';

backendContract('host', {
  backend: host,
  liveAllocations,
  inPlace: ['pageable'],
  addLater: (array, amount, queue) => new Held(array, amount, 2, queue as HostQueue).launched,
});
