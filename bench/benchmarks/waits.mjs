import { fileURLToPath } from 'node:url';
import { sycl } from '@array-interface/sycl';
import { compare } from '../runner/compare.mjs';
import { LineProcess } from '../runner/line-process.mjs';

const CHILD = fileURLToPath(new URL('../programs/pending-waits.mjs', import.meta.url));
const INTERPOSER = fileURLToPath(
  new URL('../../packages/sycl/build/Release/test/interposer.so', import.meta.url),
);

/** A process with pending waits, which answers 'ready' once they wait. */
const waitingOn = (backend, env) => new LineProcess([process.execPath, CHILD, backend], env);

/** The two works of a backend. Its process starts with the first and ends with the second. */
function works(name, start) {
  let waiting = null;
  return [
    {
      name: `${name}: CPU in a second`,
      contenders: async () => {
        waiting = start();
        await waiting.ask('ready');
        return { ours: () => waiting.ask('cpu') };
      },
      targets: [{ most: 20e6 }],
    },
    {
      name: `${name}: from the end to the promise`,
      contenders: () => ({ ours: () => waiting.ask('latency') }),
      targets: [{ most: 2e6 }],
      end: () => waiting?.end(),
    },
  ];
}

/** The real library behind the tests' interposer, since only that can hold work back. */
function heldSycl() {
  const { available, library, reason } = sycl.availability;
  if (!available) throw new Error(reason);
  return waitingOn('sycl', {
    ARRAY_INTERFACE_DPCTL_LIBRARY: INTERPOSER,
    ARRAY_INTERFACE_INTERPOSER_LIBRARY: library,
  });
}

async function run() {
  const all = [
    ...works('CUDA (simulated)', () => waitingOn('cuda')),
    ...works('SYCL (held)', heldSycl),
  ];
  const measured = await compare(all);
  for (const { end } of all) end?.();
  return measured;
}

export default {
  what:
    '10,000 pending waits on 16 queues whose work is held back: what the whole process takes of a core in a second in ' +
    'which nothing ends, and the time from the end of one more queue’s work to its promise. One thread looks for all of ' +
    'them, or the benchmark fails. CUDA is the simulator; SYCL’s library stands behind the interposer of its tests.',
  plot: { field: 'nanoseconds', title: 'nanoseconds (less is better)' },
  run,
};
