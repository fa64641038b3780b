import { compareWithNumpy, type Way } from '@array-interface/bench/compare-with-numpy';
import { type Copy, LAYOUTS } from '@array-interface/bench/layouts';
import { randomLayouts } from '@array-interface/bench/random-layouts';
import type { Backend } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { host } from '@array-interface/host';
import { randomSeed, runs, sample } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { test } from 'vitest';
import { pythonOf } from './support/python.js';

// The copies that the benchmark measures, at their own size, compared with NumPy's byte for byte; a
// part of them if ARRAY_INTERFACE_RUNS is below 1.

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const AN_HOUR = 3_600_000;
const FIXED_SEED = 1;
const seed = randomSeed();

/** The layouts of the tables, those of a fixed seed, and some of a new one. */
const copies: readonly Copy[] = [
  ...sample<Copy>(Object.values(LAYOUTS), seed),
  ...randomLayouts(FIXED_SEED, runs(6)),
  ...randomLayouts(seed, runs(6)),
];

type Ways = Readonly<Record<string, Way>>;
const casting = { casting: 'unsafe' } as const;

const onHost: Ways = {
  'one thread': (to, from) => host.copy(to, from, casting),
  threads: (to, from) => host.copy(to, from, { ...casting, threads: 3 }),
};

/** First with the kernel for all conversions, then with the one that the first copy had built. */
function onDevice(backend: Backend): Ways {
  const copy: Way = (to, from) => backend.copy(to, from, casting);
  const later: Way = async (to, from) => {
    await backend.whenKernelsReady();
    await copy(to, from);
  };
  return { 'at first': copy, 'with kernels built': later };
}

test.each([
  ['host', host, onHost],
  ['sycl', sycl, onDevice(sycl)],
  ['the simulator', cuda, onDevice(cuda)],
] as const)(
  `layouts of the benchmark on %s are NumPy's, seed ${seed}`,
  async (_, backend, ways) => {
    await compareWithNumpy({ backend, ways, copies, python: pythonOf('sycl'), seed });
  },
  AN_HOUR,
);
