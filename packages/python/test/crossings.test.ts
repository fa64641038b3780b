import { expect, test } from 'vitest';
import { runProgram } from './support/program.js';

/** `npm run test:long` has a hundred thousand, each way. */
const MOST = 100_000;
const factor = Number(process.env['ARRAY_INTERFACE_RUNS'] || 1);
const times = Math.min(MOST, Math.round(10_000 * factor));

// On a thread of JavaScript's and a worker at the same time, with both collectors forced. Arrays end on
// either side first, on threads of either side, by hand or by a collector: programs/crossing.mjs.
test.each([
  'values',
  'copies',
  'lent memory',
  'coroutines',
  'errors',
  'callbacks',
  'methods',
  'proxies',
  'callbacks of other threads',
  'arrays into Python by dict',
  'arrays into Python by DLPack',
  'arrays into Python by buffer',
  'arrays into Python by C functions',
  'arrays into Python and back by C functions',
  'arrays into JavaScript by dict',
  'arrays into JavaScript by DLPack',
  'arrays into JavaScript by buffer',
  'arrays into JavaScript by Arrow’s structs',
  'arrays into JavaScript with a mask',
  'arrays into JavaScript by C functions',
])('100,000 crossings in the long run, fewer here, leave both heaps flat: %s', async (kind) => {
  const argument = JSON.stringify({ kind, times });
  const ended = await runProgram('crossings.mjs', { argument, flags: ['--expose-gc'] });
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  const { blocks, heap, handles, live } = JSON.parse(ended.stdout);
  expect(live).toEqual([0, 0]); // arrays of JavaScript's memory, and of Python's
  expect(blocks).toBeLessThan(500); // of Python's heap: its tables grow now and then
  expect(heap).toBeLessThan(500_000);
  expect(handles).toBeLessThan(10_000); // bytes, of JavaScript's values that Python has
});
