import { backendContract } from '@array-interface/contract';
import { liveAllocations } from '@array-interface/host';
import { HostBackend } from '../src/backend.js';

/** A backend that runs no kernels: nobody's code is for its name, and it reads none that is. */
class Plain extends HostBackend {
  override readonly name = 'plain' as never;
}

backendContract('a backend without kernels', {
  backend: new Plain(),
  liveAllocations,
  inPlace: ['pageable'],
  kernels: null,
  runs: 10,
});
