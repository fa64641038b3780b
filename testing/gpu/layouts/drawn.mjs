import { randomLayouts } from '@array-interface/bench/random-layouts';
import { driver } from '../driver/driver.mjs';
import { seed } from './random.mjs';

const COUNT = 40;
/** The simulator takes a processor's time for them, and says nothing about a GPU: the smallest will do. */
const SIMULATED = 2;

const elements = ([{ shape }]) => shape.reduce((a, b) => a * b, 1);

/** The random layouts of the benchmark, each destination and source, as figures/works.mjs has sides. */
export function drawn() {
  const layouts = randomLayouts(seed, COUNT);
  if (driver.kind === 'real') return layouts;
  return layouts.toSorted((a, b) => elements(a) - elements(b)).slice(0, SIMULATED);
}
