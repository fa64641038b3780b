import { settle } from './settle.mjs';
import { backend, liveAllocations, words } from './subject.mjs';
import { xorshift } from './xorshift.mjs';

// Drops arrays, views, loans and queues in random order, forces collections in between, and checks
// the values of those that remain: MODULE NAME COUNT SEED. Prints how much it checked.
const [, , count, seed] = words;
const below = xorshift(seed);
const held = [];
async function make(value) {
  const queue = backend.createQueue();
  const array = await backend.array(new Float32Array(64).fill(value), { queue });
  const target = backend.empty([64], 'float32');
  backend.copy(target, array.flip(), { queue }).catch(() => {});
  const whole = [array, array.flip(), array.slice([[1, 9]]), backend.asArray(array), target];
  held.push(...whole.map((one) => ({ one, value })), { one: queue });
}

async function look({ one, value }) {
  if (value === undefined) return;
  const got = await backend.toTypedArray(one);
  if (got.some((each) => each !== value)) throw new Error(`expected ${value}, got ${got[0]}`);
}

for (let value = 0; value < Number(count); value++) await make(value);
const most = liveAllocations();
let looks = 0;
while (held.length > 0) {
  held.splice(below(held.length), 1);
  if (below(4) === 0) globalThis.gc();
  if (below(8) === 0 && held.length > 0) {
    await look(held[below(held.length)]);
    looks++;
  }
}
console.log(JSON.stringify({ most, looks, left: await settle(liveAllocations) }));
