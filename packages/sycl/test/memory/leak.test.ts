import { makeDescriptor } from '@array-interface/core';
import { liveAllocations, sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';
import { answerOf } from '../support/interposed.js';
import { runProgram } from '../support/program.js';
import { refused } from '../support/refused.js';

test('no block is left when everything is disposed', async () => {
  for (let i = 0; i < 20; i++) {
    using queue = sycl.createQueue();
    using array = await sycl.array(new Float64Array(1000).fill(i));
    const view = array.flip();
    using copied = sycl.empty([1000], 'float64', { queue });
    await sycl.copy(copied, view, { queue });
    using borrowed = sycl.asArray({
      __sycl_usm_array_interface__: copied.__sycl_usm_array_interface__,
    });
    expect((await sycl.toTypedArray(borrowed))[999]).toBe(i);
  }
  await vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);
});

test('the runtime has all its memory back, by its own count', async () => {
  const program = `
    const kept = sycl.empty([1], 'uint8');
    await sycl.fill(kept, 1); // the backend keeps a queue, and this array
    await sycl.synchronize();
    const before = interposer.live();
    for (let i = 0; i < 20; i++) {
      const queue = sycl.createQueue();
      const arrays = ['device', 'shared', 'host'].map((memoryKind) => sycl.empty([1000 + i], 'uint8', { memoryKind }));
      for (const array of arrays) await sycl.fill(array, i, { queue });
      await queue.synchronize();
      for (const one of [...arrays, queue]) one[Symbol.dispose]();
    }
    await until(() => liveAllocations() === 1);
    await sycl.releaseCached();
    const leaked = () => {
      const { queues, device, shared, host } = interposer.live();
      const of = (kind, now, then) => (now > then ? [now - then + ' ' + kind] : []);
      return [...of('queues', queues - counts().cachedQueues, before.queues), ...of('blocks of device memory', device.blocks, before.device.blocks),
        ...of('blocks of shared memory', shared.blocks, before.shared.blocks), ...of('blocks of host memory', host.blocks, before.host.blocks)];
    };
    await until(() => leaked().length === 0, 2000);
    done(leaked());`;
  expect(await answerOf(program), 'what was leaked').toEqual([]);
});

test('staging memory of an upload is freed once its array sees that the work has ended', async () => {
  using array = await sycl.array(new Float64Array(1000));
  await array.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(1), 100_000);
});

describe('a queue found through a capsule ends with its creator', () => {
  test.each([
    ['once nothing borrowed holds it', {}, true],
    ['when the memory cannot be borrowed', { shape: [4] }, false],
  ])('%s', async (_, changes, isBorrowed) => {
    using array = sycl.empty([3], 'float32');
    const queue = sycl.createQueue();
    const { name, pointer } = queue._get_capsule();
    const dict = { ...array.__sycl_usm_array_interface__, syclobj: { name, pointer } };
    const found = { __sycl_usm_array_interface__: { ...dict, ...changes } };
    if (isBorrowed) {
      using borrowed = sycl.asArray(found);
      queue[Symbol.dispose]();
      await sycl.fill(borrowed, 5);
      expect([...(await sycl.toTypedArray(borrowed))]).toEqual([5, 5, 5]);
    } else {
      await refused('ERR_OUT_OF_BOUNDS', () => sycl.asArray(found));
      queue[Symbol.dispose]();
    }
    const syclobj = { name, pointer };
    const late = { __sycl_usm_array_interface__: { ...dict, syclobj } };
    await refused('ERR_SYCLOBJ', () => sycl.asArray(late));
  });

  test('but not one that its creator still holds', async () => {
    using array = sycl.empty([3], 'float32');
    using queue = sycl.createQueue();
    for (const syclobj of [queue, queue._get_capsule()]) {
      const dict = { ...array.__sycl_usm_array_interface__, syclobj };
      sycl.asArray({ __sycl_usm_array_interface__: dict })[Symbol.dispose]();
      expect(queue.disposed).toBe(false);
      await sycl.fill(array, 1, { queue });
    }
  });
});

test('refused memory is not kept', async () => {
  const array = sycl.empty([3], 'float32');
  const { pointer, dtype } = array;
  const pending = makeDescriptor({ pointer, shape: [3], dtype, stream: 1n });
  using target = sycl.empty([3], 'float32');
  await refused('ERR_STREAM', () => sycl.copy(target, pending));
  array[Symbol.dispose]();
  await vi.waitFor(() => expect(liveAllocations()).toBe(1), 100_000);
});

test('an array keeps its memory as long as it can be reached', async () => {
  const program = `
    const view = (await sycl.array([[1, 2], [3, 4]])).slice([1]);
    const borrowed = sycl.asArray({ __sycl_usm_array_interface__:
      (await sycl.array([5, 6])).__sycl_usm_array_interface__ });
    for (let i = 0; i < 20; i++) { gc(); await new Promise((r) => setTimeout(r, 5)); }
    console.log([...await sycl.toTypedArray(view)].join(), [...await sycl.toTypedArray(borrowed)].join());`;
  const ended = await runProgram(program, { flags: ['--expose-gc'] });
  expect(ended).toEqual({ status: 0, stdout: '3,4 5,6', stderr: '' });
});

// Intel's runtime hangs if the last reference is deleted while a command ends: without a wait for the
// queue, one of some 5000 did.
test('twenty thousand out-of-order queues end, and nothing hangs', async () => {
  const ended = await runProgram(`
    const to = sycl.empty([4096], 'uint8');
    const from = await sycl.array(new Uint8Array(4096));
    for (let round = 0; round < 200; round++) {
      const hangs = setTimeout(() => {
        console.log('hangs in round', round);
        process.kill(process.pid, 'SIGKILL');
      }, 60_000);
      const queues = Array.from({ length: 100 }, () => sycl.createQueue({ inOrder: false }));
      for (const queue of queues) {
        await sycl.copy(to, from, { queue });
        queue[Symbol.dispose]();
      }
      await to.synchronize();
      clearTimeout(hangs);
    }
    console.log('ends');
    process.exit();
  `);
  expect(ended).toEqual({ status: 0, stdout: 'ends', stderr: '' });
});
