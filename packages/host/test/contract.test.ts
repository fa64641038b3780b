import { backendContract } from '@array-interface/contract';
import { host, liveAllocations } from '@array-interface/host';

backendContract('host', { backend: host, liveAllocations, inPlace: ['pageable'] });
