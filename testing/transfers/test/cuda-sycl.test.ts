import { transferContract } from '@array-interface/contract';
import { cuda, liveAllocations as cudaAllocations } from '@array-interface/cuda';
import { sycl, liveAllocations as syclAllocations } from '@array-interface/sycl';

transferContract(
  'cuda and sycl',
  { backend: cuda, liveAllocations: cudaAllocations },
  { backend: sycl, liveAllocations: syclAllocations },
);
