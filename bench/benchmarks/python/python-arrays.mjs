import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';
import { compare } from '../../runner/compare.mjs';
import { LineProcess } from '../../runner/line-process.mjs';
import { perAwaitedCall, perCall } from '../../runner/stopwatch.mjs';

const CALLS = 10_000;
const LENGTH = 1000;
const venv = fileURLToPath(new URL('../../../.sycl-runtime', import.meta.url)); // it contains NumPy
const PROGRAM = `
import json, sys, numpy
for line in sys.stdin:
    print(json.dumps(float(numpy.asarray(json.loads(line)).sum())), flush=True)
`;
const peers = fileURLToPath(new URL('../../peers', import.meta.url));
const NAMES = `
import sys, numpy
sys.path.insert(0, ${JSON.stringify(peers)})
sys.dont_write_bytecode = True
import exchange
array = numpy.arange(${LENGTH}.0)
class Capsules:  # NumPy's own methods, and no dict
    __slots__ = ()
    __dlpack__ = array.__dlpack__
    __dlpack_device__ = array.__dlpack_device__
capsules = Capsules()
tabled = exchange.Tabled()
`;

/**
 * Nanoseconds per call, including the finalizers of what was collected meanwhile: Node runs them
 * between turns of the event loop.
 */
const timed = (act) => () => perCall(CALLS, act, setImmediate);

async function run() {
  const python = startPython({ venv });
  python.exec(NAMES);
  const [asarray, array, capsules, tabled] = ['numpy.asarray', 'array', 'capsules', 'tabled'].map(
    (name) => python.eval(name),
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
  const given = python.toPython(ours);
  const inPython = (name) => {
    const measure = python.eval(`exchange.${name}`);
    return () => measure.call([given, 10 * CALLS]);
  };
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
      name: 'an array in, by DLPack’s C functions',
      contenders: async () => ({ ours: timed(into(tabled)), __dlpack__: timed(into(capsules)) }),
      targets: [{ against: '__dlpack__', most: 1 }],
    },
    {
      name: 'a tensor of an array out, by DLPack’s C functions',
      contenders: async () => ({
        ours: inPython('exports'),
        'without an owner': inPython('loans'),
        __dlpack__: inPython('capsules'),
      }),
      targets: [{ most: 80 }, { who: 'without an owner', most: 30 }],
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
