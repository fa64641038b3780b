import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { settle } from './settle.mjs';
import { backend, liveAllocations, words } from './subject.mjs';
import { xorshift } from './xorshift.mjs';

// Sends dicts to other threads, and ends their arrays: MODULE NAME SEED ROUNDS. Prints three things.
// First, what another thread saw of a loan whose owner had ended: its elements, its elements once the
// lender's loan had ended too, and the code once its own loan had ended. Second, the codes with which
// threads refused dicts of random arrays; `none` if they took one. Third, what is left.
const [module, name, seed, rounds] = words;
const attribute = {
  cuda: '__cuda_array_interface__',
  sycl: '__sycl_usm_array_interface__',
  host: '__array_interface__',
}[name];
const THREADS = 3;
const below = xorshift(seed);

/** An array's dict, as another thread receives it. */
function sent(array) {
  const { syclobj, ...dict } = array[attribute];
  return syclobj === undefined ? dict : { ...dict, syclobj: syclobj.context.selector };
}

function borrow(dict) {
  return backend.asArray({ [attribute]: dict });
}

function codeOf(work) {
  try {
    work();
    return 'none';
  } catch (error) {
    return error.code;
  }
}

/** The work of the thread that receives the loan. */
async function take(dict) {
  const loan = borrow(dict);
  const first = [...(await backend.toTypedArray(loan))];
  parentPort.postMessage('taken');
  await once(parentPort, 'message');
  const second = [...(await backend.toTypedArray(loan))];
  loan[Symbol.dispose]();
  return [first, second, codeOf(() => borrow(dict))];
}

/** Creates arrays and ends them, and reads those of the other threads. */
async function exchange() {
  const codes = {};
  const live = [];
  const got = [];
  parentPort.on('message', (dict) => got.push(dict));
  for (let round = 0; round < Number(rounds); round++) {
    const array = backend.empty([Math.floor(2 ** (below(2000) / 100))], 'uint8');
    void backend.fill(array, round % 200);
    live.push(array);
    parentPort.postMessage(sent(array));
    if (below(5) > 0) live.splice(below(live.length), 1)[0][Symbol.dispose]();
    await new Promise((resolve) => setImmediate(resolve));
    for (const dict of got.splice(0)) {
      const code = codeOf(() => borrow(dict)[Symbol.dispose]());
      codes[code] = (codes[code] ?? 0) + 1;
    }
  }
  for (const array of live) array[Symbol.dispose]();
  return codes;
}

/** `number`: each thread has random numbers of its own. */
function start(number, work, dict) {
  const words = [module, name, Number(seed) + number, rounds];
  return new Worker(new URL(import.meta.url), { workerData: { words, work, dict } });
}

if (isMainThread) {
  const array = await backend.array(Uint8Array.of(1, 2, 3));
  const loan = backend.asArray(array);
  array[Symbol.dispose]();
  const taker = start(1, 'take', sent(loan));
  await once(taker, 'message');
  loan[Symbol.dispose]();
  taker.postMessage('go on');
  const [lent] = await once(taker, 'message');
  const workers = Array.from({ length: THREADS }, (_, i) => start(2 + i, 'exchange'));
  const all = workers.map(
    (worker) =>
      new Promise((resolve, reject) => {
        worker.on('error', reject);
        worker.on('message', (message) => {
          if (message.codes !== undefined) resolve(message.codes);
          else for (const other of workers) if (other !== worker) other.postMessage(message);
        });
      }),
  );
  const codes = await Promise.all(all);
  await Promise.all([taker, ...workers].map((worker) => worker.terminate()));
  const kinds = [...new Set(codes.flatMap((one) => Object.keys(one)))].sort();
  console.log(JSON.stringify({ lent, kinds, left: await settle(liveAllocations) }));
} else if (workerData.work === 'take') {
  parentPort.postMessage(await take(workerData.dict));
} else {
  parentPort.postMessage({ codes: await exchange() });
}
