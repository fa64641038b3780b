import { libraryPath } from '@array-interface/cuda-simulator';
import { randomSeed, runs } from '@array-interface/random';
import { test } from 'vitest';
import { checkPrograms } from '../src/programs.js';

// On the simulator alone: its schedules are what makes a missing wait wrong each time.

const ARRAY_INTERFACE_LIBCUDA = process.env.ARRAY_INTERFACE_LIBCUDA || libraryPath;
const count = runs(500);

test.each(['lazy', 'eager', `random:${randomSeed()}`])(
  `${count} programs beside another library that follows the CUDA Array Interface, %s`,
  async (schedule) => {
    const environment = { ARRAY_INTERFACE_LIBCUDA, CUDA_SIMULATOR_SCHEDULE: schedule };
    await checkPrograms({ name: 'cuda', environment }, count);
  },
);
