import { createRequire } from 'node:module';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { backend, words } from './subject.mjs';

// What V8 is told of memory outside of its heap, so that it collects in time: MODULE NAME KIND. Makes a
// few arrays in each way, and ends them in each. Prints by how many arrays' bytes V8's count rises with
// them, and is off afterwards. Node reports only what JavaScript's own buffers have; an addon sees it all.
const [, , memoryKind] = words;
const folder = process.env.ARRAY_INTERFACE_ADDON_DIR || path.resolve('../build/Release');
const giver = createRequire(import.meta.url)(path.join(folder, 'test/giver.node'));
const COUNT = 4;
const BYTES = 2 ** 20;

const capsule = Symbol.for('array-interface.array');
const empty = (options) => backend.empty([BYTES], 'uint8', options);
const data = new Uint8Array(BYTES);

/** The arrays that a way makes. */
const ways = {
  empty: () => [empty()],
  'of a kind': () => [empty({ memoryKind })],
  'on a queue': () => {
    const queue = backend.createQueue();
    return [empty({ queue }), queue];
  },
  'a copy of JavaScript memory': async () => [await backend.array(data)],
  'of numbers': async () => [await backend.full([BYTES], 7, 'uint8')],
  'with a view': () => {
    const array = empty();
    array.flip();
    return [array];
  },
  'with a loan': () => {
    const array = empty();
    return [backend.asArray(array), array];
  },
  'with a capsule': () => {
    const array = empty();
    return [backend.asArray(array[capsule]()), array];
  },
  'seen in place': async () => {
    const array = empty({ memoryKind });
    await array.asTypedArray();
    return [array];
  },
  'printed and read': async () => {
    const array = empty();
    await array.toText();
    await backend.toTypedArray(array);
    return [array];
  },
};

/** JavaScript's own buffers count as well, until they are collected. */
async function told() {
  let last = Number.NaN;
  for (let same = 0; same < 2; ) {
    await backend.synchronize();
    globalThis.gc();
    await turn();
    const now = giver.told();
    same = Math.abs(now - last) < BYTES / 16 ? same + 1 : 0;
    last = now;
  }
  return last / BYTES;
}

async function tellsOf(make, ends) {
  const before = await told();
  let all = [];
  for (let i = 0; i < COUNT; i++) all.push(...(await make()));
  const during = await told();
  if (ends === 'disposed') for (const one of all) one[Symbol.dispose]();
  all = null;
  return { rise: during - before, off: Math.abs((await told()) - before) };
}

const found = {};
for (const [what, make] of Object.entries(ways)) {
  for (const ends of ['disposed', 'collected'])
    found[`${what}, ${ends}`] = await tellsOf(make, ends);
}
console.log(JSON.stringify(found));
