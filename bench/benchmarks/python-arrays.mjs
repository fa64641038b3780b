import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';
import { compare } from '../runner/compare.mjs';
import { nanoseconds } from '../runner/stopwatch.mjs';

const CALLS = 10_000;
const LENGTH = 1000;
const venv = fileURLToPath(new URL('../../.sycl-runtime', import.meta.url)); // it contains NumPy
const PROGRAM = `
import json, sys, numpy
for line in sys.stdin:
    print(json.dumps(float(numpy.asarray(json.loads(line)).sum())), flush=True)
`;
const NAMES = `
import numpy
array = numpy.arange(${LENGTH}.0)
class Capsules:  # NumPy's own methods, and no dict
    __slots__ = ()
    __dlpack__ = array.__dlpack__
    __dlpack_device__ = array.__dlpack_device__
capsules = Capsules()
`;

/** Nanoseconds per call, including the finalizers of what was collected meanwhile. */
const timed = (act) => async () => {
  const spent = await nanoseconds(async () => {
    for (let call = 0; call < CALLS; call++) act();
    await setImmediate(); // Node runs finalizers between turns of the event loop
  });
  return spent / CALLS;
};

/** A Python process that sums the numbers of a line of JSON. */
function summing() {
  const child = spawn(`${venv}/bin/python`, ['-c', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const sum = async (values) => {
    child.stdin.write(`${JSON.stringify([...values])}\n`);
    return JSON.parse((await lines.next()).value);
  };
  return { sum, end: () => child.stdin.end() };
}

async function run() {
  const python = startPython({ venv });
  python.exec(NAMES);
  const [asarray, array, capsules] = ['numpy.asarray', 'array', 'capsules'].map((name) =>
    python.eval(name),
  );
  const ours = await host.array(new Float64Array(LENGTH).fill(1));
  const values = await ours.asTypedArray();
  const child = summing();

  const out = (use) => () => {
    const object = python.toPython(ours);
    const seen = asarray.call([object]);
    const used = use?.(seen);
    seen[Symbol.dispose]();
    object[Symbol.dispose]();
    return used;
  };
  const sum = out((seen) => seen.callMethod('sum')[Symbol.dispose]());
  const into = (object) => () => host.asArray(object)[Symbol.dispose]();
  const overPipe = async () => {
    const spent = await nanoseconds(async () => {
      for (let call = 0; call < 200; call++) await child.sum(values);
    });
    return spent / 200;
  };

  const measured = await compare([
    {
      name: 'an array out, and numpy.asarray of it',
      contenders: async () => ({ ours: timed(out()) }),
      targets: [{ most: 12_000 }],
    },
    {
      name: 'an array of NumPy in, by its interface',
      contenders: async () => ({ ours: timed(into(array)) }),
      targets: [{ most: 6000 }],
    },
    {
      name: 'an array in, by DLPack',
      contenders: async () => ({ ours: timed(into(capsules)) }),
      targets: [{ most: 6000 }],
    },
    {
      name: `the sum of ${LENGTH} numbers by NumPy`,
      contenders: async () => ({ ours: timed(sum), 'a process, JSON over a pipe': overPipe }),
    },
  ]);
  child.end();
  return measured;
}

export default {
  what: 'Arrays between JavaScript and NumPy in one process, each made and disposed of: the time of each, among 10,000. Beside it, a Python process that gets the numbers as JSON.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one (less is better)' },
  run,
};
