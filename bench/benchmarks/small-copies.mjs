import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compare } from '../runner/compare.mjs';

const CHILD = fileURLToPath(new URL('../programs/small-copies.mjs', import.meta.url));
const run = promisify(execFile);
const LAYOUTS = ['turned f4', 'every second u2', 'turned f8 to i2'];

const measured = async () => JSON.parse((await run(process.execPath, [CHILD])).stdout);

const work = (name, most, pick) => ({
  name,
  contenders: () => ({ ours: async () => pick(await measured()) }),
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
