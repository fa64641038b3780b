import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sycl } from '@array-interface/sycl';
import { compare } from '../runner/compare.mjs';

const CHILD = fileURLToPath(new URL('../programs/pending-waits.mjs', import.meta.url));
const STAND_IN = fileURLToPath(
  new URL('../../packages/sycl/build/Release/test/interposer.so', import.meta.url),
);

/**
 * A process with pending waits, which answers a message with a number. Rejects if it ends instead.
 */
class Waiting {
  #child;

  constructor(backend, env = {}) {
    this.#child = fork(CHILD, [backend], { env: { ...process.env, ...env } });
  }

  async answer() {
    const asked = new AbortController();
    const { signal } = asked;
    const ended = once(this.#child, 'exit', { signal }).then(([status]) => {
      throw new Error(`expected an answer, got the end of the process, status ${status}`);
    });
    try {
      const [answer] = await Promise.race([once(this.#child, 'message', { signal }), ended]);
      return answer;
    } finally {
      ended.catch(() => {}); // given up
      asked.abort();
    }
  }

  ask(what) {
    this.#child.send(what);
    return this.answer();
  }

  /** Kills it: on a normal exit, a process waits for held work. */
  end() {
    this.#child.kill('SIGKILL');
  }
}

/** The two works of a backend. Its process starts with the first and ends with the second. */
function works(name, start) {
  let waiting = null;
  return [
    {
      name: `${name}: CPU in a second`,
      contenders: async () => {
        waiting = start();
        await waiting.answer();
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
  return new Waiting('sycl', {
    ARRAY_INTERFACE_DPCTL_LIBRARY: STAND_IN,
    ARRAY_INTERFACE_INTERPOSER_LIBRARY: library,
  });
}

async function run() {
  const all = [
    ...works('CUDA (simulated)', () => new Waiting('cuda')),
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
