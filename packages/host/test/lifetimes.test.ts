import { liveAllocations } from '@array-interface/host';
import { lifetimes } from '@array-interface/lifetimes';

lifetimes({
  module: '@array-interface/host',
  name: 'host',
  folder: import.meta.dirname,
  liveAllocations,
});
