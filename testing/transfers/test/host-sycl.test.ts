import { transferContract } from '@array-interface/contract';
import { host, liveAllocations as hostAllocations } from '@array-interface/host';
import { sycl, liveAllocations as syclAllocations } from '@array-interface/sycl';

transferContract(
  'host and sycl',
  { backend: host, liveAllocations: hostAllocations },
  { backend: sycl, liveAllocations: syclAllocations },
);
