import { setImmediate as turn } from 'node:timers/promises';
import { settle } from './settle.mjs';
import { backend, liveAllocations, words } from './subject.mjs';

// Allocates, copies and frees repeatedly: MODULE NAME COUNT. After a warm-up, prints by how many bytes
// the process has grown in COUNT rounds, and what is left.
const WARM_UP = 1000;
const [, , count] = words;
const values = Float32Array.from({ length: 256 }, (_, i) => i);

async function round(i) {
  // Node ends handles that were collected when its event loop turns, which no await on the host makes it do.
  if (i % 256 === 0) await turn();
  const source = await backend.array(values, { shape: [16, 16] });
  const target = backend.empty([256], 'float32');
  const loan = backend.asArray(source);
  await backend.copy(target, loan.flip().reshape([256]));
  const ticket = backend.share(target, { threadsOnly: true });
  const opened = backend.openShared(ticket);
  if (i % 16 === 0) {
    backend.share(target)[Symbol.dispose]();
    const [first] = await backend.toTypedArray(target);
    if (first !== 255) throw new Error(`expected 255, got ${first}`);
  }
  for (const array of [source, loan, target, opened, ticket]) array[Symbol.dispose]();
}

/** Bytes of the process once everything that was dropped is gone. */
async function resident() {
  await settle(liveAllocations);
  globalThis.gc();
  return process.memoryUsage().rss;
}

// Until heaps have their full size, which takes a sanitizer's a thousand rounds.
for (let i = 0; i < WARM_UP; i++) await round(i);
const before = await resident();
for (let i = 0; i < Number(count); i++) await round(i);
const grown = (await resident()) - before;
console.log(JSON.stringify({ grown, left: liveAllocations() }));
