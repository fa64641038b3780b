import { startPython } from '@array-interface/python';
import { compare } from '../compare.mjs';
import { nanoseconds } from '../stopwatch.mjs';

const CALLS = 100_000;
const NAMES = `
class Point: pass
point = Point()
point.x = 1
def add(a, b): return a + b
`;

/** Nanoseconds of each of so many calls. */
function timed(act, calls = CALLS) {
  return async () => {
    const spent = await nanoseconds(() => {
      for (let call = 0; call < calls; call++) act();
    });
    return spent / calls;
  };
}

/** One row for a function: the time of a call. */
const row = (name, act, most) => ({
  name,
  contenders: async () => ({ ours: timed(act) }),
  targets: most === undefined ? [] : [{ most }],
});

async function run() {
  const python = startPython();
  python.exec(NAMES);
  const [point, add] = [python.eval('point'), python.eval('add')];
  const holder = python.import('__main__');
  return compare([
    row('an attribute', () => point.get('x'), 300),
    row('a call with two numbers', () => add.call([1, 2]), 500),
    row('a call with a number by name', () => add.call([1], { b: 2 })),
    row('an object, and its disposal', () => holder.get('point')[Symbol.dispose]()),
  ]);
}

export default {
  what: 'An attribute, a call, an object of Python, from JavaScript: the time of each, among 100,000.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one (less is better)' },
  run,
};
