import { randomSeed, runs } from '@array-interface/random';
import { test } from 'vitest';
import { syclEnvironment } from '../src/libraries/sycl-environment.js';
import { checkPrograms } from '../src/programs.js';

const count = runs(500);

test.each(['lazy', 'eager', `random:${randomSeed()}`])(
  `${count} programs beside another user of dpctl's library, %s`,
  async (schedule) => {
    const environment = syclEnvironment(schedule);
    await checkPrograms({ name: 'sycl', environment }, count);
  },
);
