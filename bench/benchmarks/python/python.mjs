import { fileURLToPath } from 'node:url';
import { startPython } from '@array-interface/python';
import { peersIn } from '../../peers/peers.mjs';
import { compare } from '../../runner/compare.mjs';
import { perCall } from '../../runner/stopwatch.mjs';

const CALLS = 100_000;
const NAMES = `
class Point: pass
point = Point()
point.x = 1
def add(a, b): return a + b
`;

/** pymport, in a process with a Python of its own, which returns the nanoseconds of a call. */
function startPymport() {
  const folder = fileURLToPath(new URL('../../../.peers/pymport', import.meta.url));
  const program = fileURLToPath(new URL('../../programs/pymport.mjs', import.meta.url));
  return peersIn({
    needed: folder,
    missing: 'pymport: make it as bench/README.md says',
    command: [process.execPath, program, folder],
  });
}

/** One row for a function: the time of a call. */
const row = (name, act, { most, pymport = null } = {}) => ({
  name,
  contenders: () => ({ ours: () => perCall(CALLS, act), pymport }),
  targets: most === undefined ? [] : [{ most }],
});

async function run() {
  const pymport = startPymport();
  const python = startPython();
  python.exec(NAMES);
  const [point, add] = [python.eval('point'), python.eval('add')];
  const holder = python.import('__main__');
  const works = [
    row('an attribute', () => point.get('x'), {
      most: 300,
      pymport: pymport.contender('attribute'),
    }),
    row('a call with two numbers', () => add.call([1, 2]), {
      most: 500,
      pymport: pymport.contender('call'),
    }),
    row('a call with a number by name', () => add.call([1], { b: 2 })),
    row('an object, and its disposal', () => holder.get('point')[Symbol.dispose]()),
  ];
  return compare(works, [pymport]);
}

export default {
  what: 'An attribute, a call, an object of Python, from JavaScript: the time of each, among 100,000.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one (less is better)' },
  run,
};
