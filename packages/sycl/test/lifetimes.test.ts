import { lifetimes } from '@array-interface/lifetimes';
import { liveAllocations } from '@array-interface/sycl';
import { twice } from './kernels/twice.kernel.js';

lifetimes({
  module: '@array-interface/sycl',
  name: 'sycl',
  inPlace: 'shared',
  folder: import.meta.dirname,
  kernel: twice,
  liveAllocations,
});
