import { compare } from '../../runner/compare.mjs';
import { printed } from '../../runner/printed.mjs';

const LAYOUTS = ['turned f4', 'every second u2', 'turned f8 to i2'];

const work = (name, most, pick) => ({
  name,
  contenders: () => ({ ours: async () => pick(await printed('small-copies')) }),
  targets: [{ most }],
});

export default {
  what:
    'Copies of 2^13 elements on a SYCL device, each awaited until it has ended, in new processes: the first that needs a kernel, ' +
    'when the device has copied bytes already; then an element of each of 200 more, when nothing is compiled any more.',
  plot: { field: 'nanoseconds', title: 'nanoseconds (less is better)' },
  run: () =>
    compare([
      work('the first', 20e6, ({ first }) => first),
      ...LAYOUTS.map((name) => work(`an element, ${name}`, 5, ({ elements }) => elements[name])),
    ]),
};
