import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerOf } from '../support/interposed.js';

// The system refuses threads for a while. No other thread runs that would ask for one again.

const refusing = join(import.meta.dirname, '../../build/Release/test/refusing_system.so');
const LD_PRELOAD = [process.env['LD_PRELOAD'], refusing].filter(Boolean).join(':');
const REFUSE = "const refuse = (what) => { process.env['REFUSING_SYSTEM'] = what; };";

test('releaseCached settles once there are threads again', async () => {
  const program = `${REFUSE}
    const array = sycl.empty([4096], 'uint8');
    await sycl.fill(array, 1);
    await sycl.synchronize();
    array[Symbol.dispose]();
    await rest();
    refuse('threads');
    let state = 'pending';
    const released = sycl.releaseCached().then(() => { state = 'settled'; });
    await pause(50);
    const during = state;
    refuse('');
    await released;
    done([during, state, counts().cached]);`;
  expect(await answerOf(program, { env: { LD_PRELOAD } })).toEqual(['pending', 'settled', 0]);
});

test('array waits for memory until there are threads again', async () => {
  const program = `${REFUSE}
    const array = sycl.empty([40 * 2 ** 20], 'uint8');
    await sycl.fill(array.slice([[0, 16]]), 1);
    await sycl.synchronize();
    array[Symbol.dispose]();
    await rest();
    refuse('threads');
    let state = 'pending';
    const made = sycl.array(new Uint8Array(41 * 2 ** 20).fill(7));
    made.then(() => { state = 'settled'; }, ({ code }) => { state = code; });
    await pause(50);
    const during = state;
    refuse('');
    const [value] = await sycl.toTypedArray((await made).slice([[0, 1]]));
    done([during, state, value]);`;
  const options = { limit: 64 * 2 ** 20, env: { LD_PRELOAD } };
  expect(await answerOf(program, options)).toEqual(['pending', 'settled', 7]);
});
