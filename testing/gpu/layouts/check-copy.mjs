import assert from 'node:assert/strict';
import { cuda } from '@array-interface/cuda';
import { seen } from '../driver/seen.mjs';
import { copyPlainly, pattern, reach } from './layouts.mjs';

/** Copies from one layout to another, and checks the bytes of both sides against a plain loop. */
export async function checkCopy(typestr, to, from) {
  const itemsize = Number(typestr.slice(2));
  const expected = pattern(reach(to, itemsize), 1);
  const values = pattern(reach(from, itemsize), 2);
  const target = await cuda.array(expected);
  const source = await cuda.array(values);
  await cuda.copy(seen(target, to, typestr), seen(source, from, typestr));
  copyPlainly(to, expected, from, values, itemsize);
  const what = JSON.stringify({ typestr, to, from });
  assert.equal(Buffer.compare(await cuda.toTypedArray(target), expected), 0, what);
  assert.equal(Buffer.compare(await cuda.toTypedArray(source), values), 0, `the source of ${what}`);
  for (const array of [target, source]) array[Symbol.dispose]();
}
