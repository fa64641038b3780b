import { randomSeed, runs } from '@array-interface/random';
import { test } from 'vitest';
import { checkPrograms } from '../src/programs.js';
import { syclEnvironment } from '../src/sycl-environment.js';

// Each run has a seed of its own; npm run test:long has a hundred times as many.
const count = runs(250);

test.each(['lazy', 'eager', `random:${randomSeed()}`])(
  `${count} programs beside another user of dpctl's library, %s`,
  async (schedule) => {
    const environment = syclEnvironment(schedule);
    await checkPrograms({ name: 'sycl', environment }, count);
  },
);
