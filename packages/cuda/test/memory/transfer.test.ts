import { transferContract } from '@array-interface/contract';
import { cuda, liveAllocations } from '@array-interface/cuda';
import { CudaBackend } from '../../src/backend.js';

// Two backends of the same memory know one another as little as two of different devices.
transferContract(
  'cuda and another cuda',
  { backend: cuda, liveAllocations },
  { backend: new CudaBackend(), liveAllocations },
);
