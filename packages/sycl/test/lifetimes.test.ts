import { lifetimes } from '@array-interface/lifetimes';
import { liveAllocations } from '@array-interface/sycl';

lifetimes({
  module: '@array-interface/sycl',
  name: 'sycl',
  inPlace: 'shared',
  folder: import.meta.dirname,
  liveAllocations,
});
