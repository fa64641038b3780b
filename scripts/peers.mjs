import { environmentOf } from './python-environment.mjs';

/** The Python environments of `npm run test:peers`, each as its file in testing/peers pins it. */
export const peers = [
  {
    name: 'sycl',
    what: 'dpctl, dpnp and NumPy',
    size: '2.9 GB, 0.9 GB to fetch',
    bytesNeeded: 3_900_000_000,
  },
  {
    name: 'cuda',
    what: 'Numba and cuda.core, for the CUDA simulator',
    size: '1.3 GB, 0.4 GB to fetch',
    bytesNeeded: 1_900_000_000,
  },
].map((peer) =>
  environmentOf({
    ...peer,
    pins: `testing/peers/${peer.name}.txt`,
    target: `.peers/${peer.name}`,
  }),
);
