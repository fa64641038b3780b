import { libraryPath } from '@array-interface/cuda-simulator';
import { randomSeed, runs } from '@array-interface/random';
import { test } from 'vitest';
import { checkProgramsWithFaults } from '../src/programs.js';

// On the simulator alone, which fails as it is told.

const ARRAY_INTERFACE_LIBCUDA = process.env.ARRAY_INTERFACE_LIBCUDA || libraryPath;
const count = runs(300);

test.each(['lazy', 'eager', `random:${randomSeed()}`])(
  `${count} programs beside another library while driver calls fail, %s`,
  async (schedule) => {
    const environment = { ARRAY_INTERFACE_LIBCUDA, CUDA_SIMULATOR_SCHEDULE: schedule };
    await checkProgramsWithFaults({ name: 'cuda', environment }, count);
  },
);
