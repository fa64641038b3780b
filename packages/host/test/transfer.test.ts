import { transferContract } from '@array-interface/contract';
import { liveAllocations } from '@array-interface/host';
import { HostBackend } from '../src/backend.js';

// Two backends of the same memory know one another as little as two of different devices.
transferContract(
  'host and another host',
  { backend: new HostBackend(), liveAllocations },
  { backend: new HostBackend(), liveAllocations },
);
