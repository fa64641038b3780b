import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startPython } from '@array-interface/python';
import { compare } from '../runner/compare.mjs';
import { nanoseconds } from '../runner/stopwatch.mjs';

const CALLS = 100_000;
const NAMES = `
class Point: pass
point = Point()
point.x = 1
def add(a, b): return a + b
`;

/** Nanoseconds per call. */
function timed(act, calls = CALLS) {
  return async () => {
    const spent = await nanoseconds(() => {
      for (let call = 0; call < calls; call++) act();
    });
    return spent / calls;
  };
}

/**
 * Starts a process with pymport, which returns the nanoseconds of a call. Null if pymport is not
 * installed.
 */
function startPymport() {
  const folder = fileURLToPath(new URL('../../.peers/pymport', import.meta.url));
  if (!existsSync(folder)) return null;
  const program = fileURLToPath(new URL('../programs/pymport.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const contender = (name) => async () => {
    child.stdin.write(`${name}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('it ended, as it says above');
    return Number(value);
  };
  return { contender, end: () => child.stdin.end() };
}

/** One row for a function: the time of a call. */
const row = (name, act, { most, pymport } = {}) => ({
  name,
  contenders: async () => ({ ours: timed(act), ...(pymport && { pymport }) }),
  targets: most === undefined ? [] : [{ most }],
});

async function run() {
  const pymport = startPymport();
  const python = startPython();
  python.exec(NAMES);
  const [point, add] = [python.eval('point'), python.eval('add')];
  const holder = python.import('__main__');
  const measured = await compare([
    row('an attribute', () => point.get('x'), {
      most: 300,
      pymport: pymport?.contender('attribute'),
    }),
    row('a call with two numbers', () => add.call([1, 2]), {
      most: 500,
      pymport: pymport?.contender('call'),
    }),
    row('a call with a number by name', () => add.call([1], { b: 2 })),
    row('an object, and its disposal', () => holder.get('point')[Symbol.dispose]()),
  ]);
  pymport?.end();
  return measured;
}

export default {
  what: 'An attribute, a call, an object of Python, from JavaScript: the time of each, among 100,000.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one (less is better)' },
  run,
};
