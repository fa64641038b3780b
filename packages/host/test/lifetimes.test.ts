import { liveAllocations } from '@array-interface/host';
import { lifetimes } from '@array-interface/lifetimes';

lifetimes({
  module: '@array-interface/host',
  name: 'host',
  inPlace: 'pageable',
  folder: import.meta.dirname,
  liveAllocations,
});
