import { type Chain, replay } from '@array-interface/random';
import { expect, it } from 'vitest';
import * as core from '../../src/index.js';
import numpy from '../support/vectors/numpy-views.json' with { type: 'json' };

// made by testing/peers/python/random_cases/random_views.py 2026 900; test:peers compares others each time
it('makes the views that NumPy makes, and refuses what NumPy refuses', () => {
  const chains = numpy.chains as unknown as readonly Chain[];
  const compared = chains.flatMap((chain) => replay(core, chain));
  for (const { view, numpy: theirs, core: ours } of compared) expect(ours, view).toEqual(theirs);
  expect(compared.length).toBe(3141);
});
