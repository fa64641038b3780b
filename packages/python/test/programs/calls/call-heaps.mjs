// Prints by how many Python blocks and bytes of JavaScript's heap 20,000 callbacks leave more than
// 20,000 before them, and how many functions are left that Python dropped, on this and other threads.
import { setImmediate } from 'node:timers/promises';
import { call, keep, python } from './calls.mjs';

const CALLS = 20_000;
const collect = python.eval('__import__("gc").collect');
const blocks = python.eval('sys.getallocatedblocks');
const drop = python.eval('kept.pop');

async function settled() {
  for (let i = 0; i < 5; i++) {
    collect.call();
    globalThis.gc();
    await setImmediate(); // references that Python dropped go from the event loop
  }
}

/** Functions that are made, called by Python and dropped: here, or by a thread of Python's. */
async function round() {
  for (let i = 0; i < CALLS; i++) {
    const value = { i };
    call.call([() => value]);
    if (i % 100 === 0) await setImmediate();
  }
  for (let i = 0; i < CALLS / 20; i++) await python.runAsync(call, [() => [i]]);
  await settled();
  return [blocks.call(), process.memoryUsage().heapUsed];
}

/** A function that Python keeps. */
function kept(_, i) {
  const f = () => i;
  keep.call([f, i]);
  return new WeakRef(f);
}

/** How many of 20 functions are there while Python keeps them, and once it has dropped them. */
async function dropped() {
  const functions = Array.from({ length: 20 }, kept);
  await settled();
  const before = functions.filter((one) => one.deref()).length;
  for (let i = 0; i < 10; i++) drop.call([i])[Symbol.dispose]();
  for (let i = 10; i < 20; i++)
    await python.runAsync(python.eval('lambda i: kept.pop(i) and None'), [i]);
  await settled();
  return [before, functions.filter((one) => one.deref()).length];
}

/** Both collectors, in callbacks of this thread and of others. */
async function collecting() {
  let calls = 0;
  const f = (g) => {
    globalThis.gc();
    collect.call();
    calls++;
    return g;
  };
  for (let i = 0; i < 5; i++) {
    call.call([f, f]);
    await Promise.all([1, 2, 3].map(() => python.runAsync(call, [f, f])));
  }
  return calls;
}

await round();
const [blocksBefore, heapBefore] = await round();
const [blocksAfter, heapAfter] = await round();
const growth = { blocks: blocksAfter - blocksBefore, heap: heapAfter - heapBefore };
console.log(JSON.stringify({ ...growth, kept: await dropped(), calls: await collecting() }));
