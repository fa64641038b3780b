import { randomSeed, runs } from '@array-interface/random';
import { test } from 'vitest';
import { syclEnvironment } from '../src/libraries/sycl-environment.js';
import { checkProgramsWithFaults } from '../src/programs.js';

// On the interposer for dpctl's library, which fails as it is told.

const count = runs(300);

test.each(['lazy', 'eager', `random:${randomSeed()}`])(
  `${count} programs beside another user of dpctl's library while its calls fail, %s`,
  async (schedule) => {
    const environment = syclEnvironment(schedule);
    await checkProgramsWithFaults({ name: 'sycl', environment }, count);
  },
);
