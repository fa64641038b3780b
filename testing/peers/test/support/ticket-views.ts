import type { Step } from './random-views.js';

interface Viewable<A> {
  slice(ranges: readonly unknown[]): A;
  permuteDims(axes: readonly number[]): A;
  flip(axes: readonly number[]): A;
}

/** The last of the views that the steps make, each of the previous one. */
export function viewed<A extends Viewable<A>>(array: A, steps: readonly Step[]): A {
  let view = array;
  for (const [name, argument] of steps) {
    if (name === 'slice') view = view.slice(argument);
    else if (name === 'permuteDims') view = view.permuteDims(argument);
    else if (argument.length > 0) view = view.flip(argument);
  }
  return view;
}
