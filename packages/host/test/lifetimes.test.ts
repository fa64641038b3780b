import { liveAllocations } from '@array-interface/host';
import { lifetimes } from '@array-interface/lifetimes';

lifetimes({
  name: 'host',
  inPlace: 'pageable',
  folder: import.meta.dirname,
  liveAllocations,
});
