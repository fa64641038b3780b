import { compare } from '../runner/compare.mjs';
import { printed } from '../runner/printed.mjs';

/** Nanoseconds that a new process takes to import a package, without Node's own start. */
const importOf = (name) => async () => 1e6 * (await printed('import-time', [name]));

const work = (name, what, most) => ({
  name: what,
  contenders: () => ({ ours: importOf(name), sharp: importOf('sharp') }),
  targets: [{ most }],
});

export default {
  what:
    'From `import()` until it settles, measured within a new process for each time, so without Node’s own start; of host ' +
    'until the first array is there. Beside it `import("sharp")`, in turns.',
  plot: { field: 'nanoseconds', title: 'nanoseconds from import() on (less is better)' },
  run: () =>
    compare([
      work('@array-interface/core', 'core', 15e6),
      work('@array-interface/host', 'host, until the first array', 25e6),
    ]),
};
