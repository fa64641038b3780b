// The JavaScript thread is in Python while a thread of Python's calls JavaScript. ARGUMENT: how.
import { setTimeout } from 'node:timers/promises';
import { answer, call, caught, python, started } from './calls.mjs';

const sleep = python.eval('time.sleep');
const WAYS = {
  'joins for ever': () => {
    started.call([() => 0]).callMethod('join');
    return answer();
  },
  'comes back in time': () => {
    started.call([() => 'answered']).callMethod('join', [0.01]);
    return answer();
  },
  /** For longer than a thread has timeout, but it is back with JavaScript in between. */
  'again and again': async () => {
    const nap = setInterval(() => sleep.call([0.15]), 0);
    const got = await python.runAsync(caught, [() => setTimeout(600, 'answered')]);
    clearInterval(nap);
    return got;
  },
  /** For the very call, several times as long as a thread has timeout. */
  'in the function': () => python.runAsync(call, [() => sleep.call([1.5]) ?? 'answered']),
  /** The function gave a promise, which this thread would settle. */
  'waits for a promise': async () => {
    const thread = started.call([() => new Promise(() => {})]);
    await setTimeout(0);
    thread.callMethod('join');
    return answer();
  },
};
console.log(await WAYS[process.env.ARGUMENT]());
