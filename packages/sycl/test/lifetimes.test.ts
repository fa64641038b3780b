import { lifetimes } from '@array-interface/lifetimes';
import { liveAllocations } from '@array-interface/sycl';
import { twice } from './kernels/twice.kernel.js';

lifetimes({
  name: 'sycl',
  inPlace: 'shared',
  folder: import.meta.dirname,
  kernel: twice,
  liveAllocations,
});
