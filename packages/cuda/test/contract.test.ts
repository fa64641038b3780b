import { backendContract } from '@array-interface/contract';
import { cuda, liveAllocations } from '@array-interface/cuda';

backendContract('cuda', { backend: cuda, liveAllocations, inPlace: ['host', 'shared'] });
