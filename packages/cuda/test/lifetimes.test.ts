import { liveAllocations } from '@array-interface/cuda';
import { lifetimes } from '@array-interface/lifetimes';
import { TWICE } from './support/twice.mjs';

const kernel = {
  name: 'twice',
  parameters: { at: { write: 'float32' }, n: 'uint32', room: { local: 'float32' } },
  code: { cuda: { ptx: TWICE } },
};

lifetimes({
  name: 'cuda',
  inPlace: 'host',
  folder: import.meta.dirname,
  kernel,
  liveAllocations,
});
