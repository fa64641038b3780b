import {
  type ArrayInterface,
  fromArrayInterface,
  toArrayInterface,
  toCudaArrayInterface,
} from '@array-interface/core';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { expectLayout, type PeerLayout } from './support/layout.js';
import { Python, pythonOf } from './support/python.js';
import { apply, randomViews, type Views } from './support/random-views.js';

const numpy = new Python('numpy_peer', [pythonOf('sycl')]);
afterAll(() => numpy[Symbol.asyncDispose]());

interface Answer {
  readonly interface: ArrayInterface;
  readonly layout: PeerLayout;
}

const viewsOf = ({ shape, typestr, steps }: Views) =>
  numpy.call<readonly [Answer, ...Answer[]]>('views', shape, typestr, steps);

const settings = random(3000);
test(`views of views are NumPy's, and both read NumPy's dicts the same, seed ${settings.seed}`, async () => {
  let compared = 0;
  const property = fc.asyncProperty(randomViews, async (views) => {
    const answers = await viewsOf(views);
    let array = fromArrayInterface(answers[0].interface);
    for (const [index, { interface: dict, layout }] of answers.entries()) {
      const step = views.steps[index - 1];
      if (step !== undefined) array = apply(array, step);
      expectLayout(array, layout);
      expectLayout(fromArrayInterface(dict), layout);
      compared++;
    }
  });
  await fc.assert(property, settings);
  expect(compared).toBeGreaterThan(2 * settings.numRuns);
});

test(`NumPy reads what core writes, seed ${settings.seed}`, async () => {
  const property = fc.asyncProperty(randomViews, async ({ shape, typestr, steps }) => {
    const [{ interface: dict }] = await viewsOf({ shape, typestr, steps: [] });
    const array = steps.reduce(apply, fromArrayInterface(dict));
    expectLayout(array, await numpy.call('from_numpy', toArrayInterface(array)));
    expectLayout(array, await numpy.call('from_cuda', toCudaArrayInterface(array)));
  });
  await fc.assert(property, { ...settings, numRuns: settings.numRuns / 3 });
});
