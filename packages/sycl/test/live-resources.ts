import { returnsToZero } from '@array-interface/lifetimes';
import { liveAllocations } from '@array-interface/sycl';

// For every test file (vitest.config.ts): what it made is gone when it ends.
returnsToZero('sycl', () => ({ allocations: liveAllocations() }));
