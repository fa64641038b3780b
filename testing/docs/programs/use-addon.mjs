// Uses the addon of addon.c, whose file is the argument: arrays and capsules, taken and refused.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { host } from '@array-interface/host';

const loaded = { exports: {} };
process.dlopen(loaded, process.argv[2]);
const { first, floats, left } = loaded.exports;

const numbers = await host.array(new Float32Array([5, 6]));
assert.equal(first(numbers), 5);
assert.equal(first(numbers), 5);
assert.equal(first(floats()), 7);
const taken = host.asArray(floats());
assert.deepEqual([...(await host.toTypedArray(taken))], [7, 8, 9]);
taken[Symbol.dispose]();
const doubles = await host.array(new Float64Array(2));
assert.throws(() => first(doubles), TypeError);
{
  const used = floats();
  first(used);
  assert.throws(() => first(used), { code: 'ERR_TYPE' });
}
for (const other of [null, 1, {}, 'text']) assert.throws(() => first(other), { code: 'ERR_TYPE' });
for (let times = 0; times < 100; times++) floats(); // nobody uses these
for (let times = 0; left() > 0 && times < 100; times++) {
  globalThis.gc();
  await setImmediate();
}
assert.equal(left(), 0);
console.log('done');
