import { liveAllocations } from '@array-interface/cuda';
import { lifetimes } from '@array-interface/lifetimes';

lifetimes({
  module: '@array-interface/cuda',
  name: 'cuda',
  inPlace: 'host',
  folder: import.meta.dirname,
  liveAllocations,
});
