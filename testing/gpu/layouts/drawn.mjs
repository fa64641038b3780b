import { randomLayouts } from '@array-interface/bench/random-layouts';
import { driver } from '../driver/driver.mjs';
import { seed } from './random.mjs';

const COUNT = 40;
/** On the simulator they only take time, and say nothing about a GPU: the smallest are enough. */
const SIMULATED = 2;

const elements = ([{ shape }]) => shape.reduce((a, b) => a * b, 1);

/** The random layouts of the benchmark: destination and source of each, as in figures/works.mjs. */
export function drawn() {
  const layouts = randomLayouts(seed, COUNT);
  if (driver.kind === 'real') return layouts;
  return layouts.toSorted((a, b) => elements(a) - elements(b)).slice(0, SIMULATED);
}
