import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { compare } from '../runner/compare.mjs';
import { simulatedCuda } from '../runner/simulated-cuda.mjs';

const ARRAYS = 20_000;
/** Lengths vary, so that memory of one size is freed while that of another is kept. */
const LENGTHS = 50;

/** Nanoseconds per disposal, of arrays that are all alive before the first is disposed. */
function disposalsOn(backend) {
  return async () => {
    const arrays = Array.from({ length: ARRAYS }, (_, i) =>
      backend.empty([1 + (i % LENGTHS)], 'uint8'),
    );
    const started = performance.now();
    for (const array of arrays) array[Symbol.dispose]();
    const elapsed = performance.now() - started;
    await backend.synchronize();
    return (elapsed * 1e6) / ARRAYS;
  };
}

const targets = [{ most: 5000 }];

export default {
  what:
    '20,000 arrays of 1 to 50 bytes, all alive, disposed one after the other: how long each keeps the event loop. CUDA is the ' +
    'simulator: no figure of a GPU.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one disposal (less is better)' },
  run: () =>
    compare([
      { name: 'host', contenders: async () => ({ ours: disposalsOn(host) }), targets },
      { name: 'SYCL', contenders: async () => ({ ours: disposalsOn(sycl) }), targets },
      {
        name: 'CUDA (simulated)',
        contenders: async () => ({ ours: disposalsOn(await simulatedCuda()) }),
        targets,
      },
    ]),
};
