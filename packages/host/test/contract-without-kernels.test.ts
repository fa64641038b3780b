import { backendContract } from '@array-interface/contract';
import { liveAllocations } from '@array-interface/host';
import { HostBackend } from '../src/backend.js';

/** A backend that runs no kernels: no kernel has code for its name, and it would read none. */
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
