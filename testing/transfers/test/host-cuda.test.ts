import { transferContract } from '@array-interface/contract';
import { cuda, liveAllocations as cudaAllocations } from '@array-interface/cuda';
import { host, liveAllocations as hostAllocations } from '@array-interface/host';

transferContract(
  'host and cuda',
  { backend: host, liveAllocations: hostAllocations },
  { backend: cuda, liveAllocations: cudaAllocations },
);
