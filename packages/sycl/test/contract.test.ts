import { backendContract } from '@array-interface/contract';
import { liveAllocations, sycl } from '@array-interface/sycl';

backendContract('sycl', { backend: sycl, liveAllocations, inPlace: ['host', 'shared'] });
