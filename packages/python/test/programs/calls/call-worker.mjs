// Calls between a worker and others, and the worker's end among them. ARGUMENT: which.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { answer, call, caught, hammer, keep, keptAt, started } from './calls.mjs';

const stayAlive = () => setInterval(() => {}, 1000);
const tell = () => parentPort.postMessage('ready');
const spin = () => {
  tell();
  while (true);
};

/** What the worker does. */
const IN_WORKER = {
  'called by the main thread': () => {
    keep.call([(value) => value + 1, 0]);
    stayAlive();
    tell();
  },
  'called when it is gone': () => {
    keep.call([() => 0, 0]);
    tell();
  },
  'calls the main thread': () => {
    const got = call.call([keptAt.call([0]), 1]);
    keep.call([got, 1]);
    tell();
  },
  'ends while a thread waits': () => {
    started.call([
      () => {
        setImmediate(tell);
        return new Promise(() => {});
      },
    ]);
    stayAlive();
  },
  'ends in a function of a thread’s': () => {
    started.call([spin]);
    stayAlive();
  },
  'ends while threads call on': () => {
    let calls = 0;
    hammer.call([() => void (++calls === 100 && tell()), 4]);
    stayAlive();
  },
  'ends in a function of its own': () => caught.call([spin]),
  'ends while it calls': () => {
    const again = () => setImmediate(again) && caught.call([() => caught.call([() => 0])]);
    again();
    setImmediate(tell);
  },
  'calls each other': () => {
    const one = caught.call([keptAt.call([0]), caught, () => 1]);
    keep.call([one, 1]);
    tell();
  },
  'exits in a function': () => {
    tell();
    call.call([() => process.exit(0)]);
  },
};

/** What the main thread does once the worker is ready, and what it prints. */
const IN_MAIN = {
  'called by the main thread': async (worker) => {
    const got = call.call([keptAt.call([0]), 1]);
    await worker.terminate();
    return got;
  },
  'called when it is gone': async (worker) => {
    await worker.terminate();
    return caught.call([keptAt.call([0])]);
  },
  'calls the main thread': () => keptAt.call([1]),
  'ends while a thread waits': async (worker) => {
    await worker.terminate();
    return answer();
  },
  'ends in a function of a thread’s': async (worker) => {
    await worker.terminate();
    return answer();
  },
  'ends while threads call on': async (worker) => {
    await worker.terminate();
    return [await answer(), await answer(), await answer(), await answer()].join('\n');
  },
  'ends in a function of its own': (worker) => worker.terminate(),
  'ends while it calls': (worker) => worker.terminate(),
  'calls each other': () => keptAt.call([1]),
  'exits in a function': (worker) => once(worker, 'exit'),
};

const way = process.env.ARGUMENT;
if (isMainThread) {
  const mine = way === 'calls each other' ? (f, ...args) => f.call(args) : (value) => value + 2;
  keep.call([mine, 0]);
  const worker = new Worker(new URL(import.meta.url));
  await once(worker, 'message');
  console.log(String(await IN_MAIN[way](worker)));
} else {
  IN_WORKER[way]();
}
