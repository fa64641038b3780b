import { setImmediate as turn } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { ended } from './ended.mjs';
import { settle } from './settle.mjs';
import { backend, liveAllocations, words } from './subject.mjs';
import { xorshift } from './xorshift.mjs';

// Maps arrays as typed arrays, disposes or drops both in random order, and forces collections in
// between: MODULE NAME KIND COUNT SEED. Then does the same in worker threads, which end by themselves,
// by process.exit and by terminate. Prints how they ended, how much was checked, and what is left.
const [, , memoryKind, count, seed] = words;
const LENGTH = 4096;
const below = xorshift(seed);

async function make(value) {
  const array = backend.empty([LENGTH], 'uint8', { memoryKind });
  backend.fill(array, value).catch(() => {});
  const loan = backend.asArray(array);
  const seen = await array.asTypedArray();
  return [
    { array, seen, value },
    { array: loan, seen: await loan.asTypedArray(), value },
  ];
}

function look({ seen, value }) {
  if (seen.length === LENGTH && seen[0] === value && seen[LENGTH - 1] === value) return;
  throw new Error(`expected ${LENGTH} times ${value}, got ${seen.length} times ${seen[0]}`);
}

/** Drops the array, or disposes it, or drops the typed array. */
function drop(one) {
  const how = below(3);
  if (how === 0) one.seen = null;
  else if (how === 1) one.array = null;
  else {
    one.array?.[Symbol.dispose]();
    if (one.array !== null && (one.seen?.length ?? 0) > 0)
      throw new Error('expected none, got some');
    if (one.array !== null) one.seen = null;
  }
}

async function use() {
  const held = [];
  for (let value = 1; value <= Number(count); value++) held.push(...(await make(value)));
  let looks = 0;
  while (held.length > 0) {
    const at = below(held.length);
    const one = held[at];
    drop(one);
    if (one.array === null || one.seen === null) held.splice(at, 1);
    if (one.seen !== null && below(2) === 0) held.push({ ...one, array: null });
    if (below(4) === 0) globalThis.gc?.();
    if (below(4) === 0) await turn();
    for (const each of held.filter(({ seen }) => seen !== null)) {
      look(each);
      looks++;
    }
  }
  return looks;
}

const looks = await use();
if (isMainThread) {
  const file = new URL(import.meta.url);
  const ends = await Promise.all(
    ['idle', 'exit', 'busy'].map((end) => ended(file, { words, end })),
  );
  console.log(JSON.stringify({ ends, looks, left: await settle(liveAllocations) }));
} else {
  globalThis.kept = await make(1);
  parentPort.postMessage('used');
  if (workerData.end === 'exit') process.exit(3);
  while (workerData.end === 'busy') {
    globalThis.kept.push(...(await make(2)));
    if (globalThis.kept.length > 20) globalThis.kept.shift().array[Symbol.dispose]();
    await turn();
  }
}
