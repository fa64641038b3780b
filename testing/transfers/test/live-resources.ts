import { liveAllocations as liveCuda } from '@array-interface/cuda';
import { liveAllocations as liveHost } from '@array-interface/host';
import { returnsToZero } from '@array-interface/lifetimes';
import { liveAllocations as liveSycl } from '@array-interface/sycl';

// For every test file (vitest.config.ts): what it created is gone when it ends.
const BACKENDS = { host: liveHost, cuda: liveCuda, sycl: liveSycl };
for (const [name, live] of Object.entries(BACKENDS)) {
  returnsToZero(name, () => ({ allocations: live() }));
}
