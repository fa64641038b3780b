import type { Abilities } from './world.js';

/** Abilities of the CUDA simulator, and of the interposer for dpctl's library. */
export const ABILITIES: Readonly<Record<'cuda' | 'sycl', Abilities>> = {
  cuda: {
    devices: 2,
    kinds: ['device', 'host', 'shared'],
    defaultStreams: ['legacy', 'perThread'],
    crossesDevices: true,
    hasPools: true,
    hasStreamOptions: true,
  },
  sycl: {
    devices: 2,
    kinds: ['device', 'host', 'shared'],
    defaultStreams: [],
    crossesDevices: false,
    hasPools: false,
    hasStreamOptions: false,
  },
};
