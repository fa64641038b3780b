import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';
import { compare } from '../runner/compare.mjs';
import { LineProcess } from '../runner/line-process.mjs';
import { perAwaitedCall, perCall } from '../runner/stopwatch.mjs';

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

/**
 * Nanoseconds per call, including the finalizers of what was collected meanwhile: Node runs them
 * between turns of the event loop.
 */
const timed = (act) => () => perCall(CALLS, act, setImmediate);

async function run() {
  const python = startPython({ venv });
  python.exec(NAMES);
  const [asarray, array, capsules] = ['numpy.asarray', 'array', 'capsules'].map((name) =>
    python.eval(name),
  );
  const ours = await host.array(new Float64Array(LENGTH).fill(1));
  const values = await ours.asTypedArray();
  const summing = new LineProcess([`${venv}/bin/python`, '-c', PROGRAM]);

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
  const overPipe = () => perAwaitedCall(200, () => summing.ask([...values]));

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
  summing.end();
  return measured;
}

export default {
  what: 'Arrays between JavaScript and NumPy in one process, each made and disposed of: the time of each, among 10,000. Beside it, a Python process that gets the numbers as JSON.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one (less is better)' },
  run,
};
