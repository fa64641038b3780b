import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';

// The system refuses threads for a while. No other thread runs that would ask for one again.

const refusing = fileURLToPath(
  new URL('../../build/Release/test/refusing_system.so', import.meta.url),
);
const LD_PRELOAD = [process.env.LD_PRELOAD, refusing].filter(Boolean).join(':');

const START = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { cuda } from '@array-interface/cuda';
  import { native } from './test/support/native.mjs';
  const refuse = (what) => { process.env.REFUSING_SYSTEM = what; };
  const stateOf = (promise) => {
    const state = { is: 'pending' };
    promise.then(() => (state.is = 'settled'), ({ code }) => (state.is = code));
    return state;
  };
`;

test('releaseCached settles once there are threads again', async () => {
  const found = await childAnswer<unknown>(
    `${START}
    const array = cuda.empty([4096], 'uint8');
    await cuda.synchronize();
    await cuda.fill(array, 1);
    await array.synchronize();
    array[Symbol.dispose]();
    while (native.liveCounts().allocations > 0) await pause(1);
    refuse('threads');
    const released = cuda.releaseCached();
    const state = stateOf(released);
    await pause(50);
    const during = state.is;
    refuse('');
    await released;
    console.log(JSON.stringify([during, state.is, native.liveCounts().cached]));`,
    { LD_PRELOAD },
  );
  expect(found).toEqual(['pending', 'settled', 0]);
});

test('array waits for memory until there are threads again', async () => {
  const found = await childAnswer<unknown>(
    `${START}
    const array = cuda.empty([5 << 20], 'uint8');
    await cuda.fill(array, 1);
    await cuda.toTypedArray(array.slice([[0, 8]]));
    array[Symbol.dispose]();
    while (native.liveCounts().allocations > 0) await pause(1);
    refuse('threads');
    const made = cuda.array(new Uint8Array(6 << 20).fill(7));
    const state = stateOf(made);
    await pause(50);
    const during = state.is;
    refuse('');
    const [value] = await cuda.toTypedArray((await made).slice([[0, 1]]));
    console.log(JSON.stringify([during, state.is, value]));`,
    { LD_PRELOAD, CUDA_SIMULATOR_MEMORY_MB: '8' },
  );
  expect(found).toEqual(['pending', 'settled', 7]);
});

test('empty waits for memory no longer than allowed, and notices threads that can start meanwhile', async () => {
  const found = await childAnswer<unknown>(
    `${START}
    const array = cuda.empty([5 << 20], 'uint8');
    array[Symbol.dispose]();
    refuse('threads');
    let code = 'none';
    try { cuda.empty([6 << 20], 'uint8'); } catch (error) { code = error.code; }
    refuse('');
    console.log(JSON.stringify([code, cuda.empty([6 << 20], 'uint8').size]));`,
    { LD_PRELOAD, CUDA_SIMULATOR_MEMORY_MB: '8' },
  );
  expect(found).toEqual(['ERR_OUT_OF_MEMORY', 6 << 20]);
});

test('an operation that needs its own thread says so if none can start', async () => {
  const found = await childAnswer<unknown>(
    `${START}
    cuda.empty([4096], 'uint8')[Symbol.dispose]();
    refuse('threads');
    const { code, message } = await cuda.releaseCached().catch((error) => error);
    refuse('');
    await cuda.releaseCached();
    console.log(JSON.stringify([code, message.split(', got')[0], native.liveCounts().cached]));`,
    { LD_PRELOAD },
  );
  expect(found).toEqual(['ERR_OUT_OF_MEMORY', '[ERR_OUT_OF_MEMORY] expected another thread', 0]);
});
