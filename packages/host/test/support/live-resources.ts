import { liveAllocations } from '@array-interface/host';
import { returnsToZero } from '@array-interface/lifetimes';

// For every test file (vitest.config.ts): what it made is gone when it ends.
returnsToZero('host', () => ({ allocations: liveAllocations() }));
