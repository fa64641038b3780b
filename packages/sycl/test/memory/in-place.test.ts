import { constants } from 'node:buffer';
import { sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { answerOf, PENDING_AND_ENDED } from '../support/interposed.js';
import { OtherQueue } from '../support/other-library.js';
import { runProgram } from '../support/program.js';
import { refused } from '../support/refused.js';

test('memory of another library', async () => {
  using other = new OtherQueue(true);
  const pointer = other.allocate(64, 5);
  const producer = () => {
    const syclobj = { name: 'SyclQueueRef', pointer: other.queue };
    const fields = { data: [pointer, false], offset: 2, version: 1, syclobj };
    return { __sycl_usm_array_interface__: { shape: [4], typestr: '<u2', ...fields } };
  };
  using borrowed = sycl.asArray(producer());
  const seen = await borrowed.asTypedArray();
  expect([...seen]).toEqual(Array(4).fill(0x505));
  seen[0] = 7;
  expect([...(await sycl.toTypedArray(borrowed))]).toEqual([7, 0x505, 0x505, 0x505]);
  const alone = sycl.asArray(producer(), { bounds: 'trust' });
  const [all, part] = [await alone.asTypedArray(), await alone.slice([[1, 3]]).asTypedArray()];
  expect([all.buffer.byteLength, part.buffer.byteLength]).toEqual([8, 4]);
  expect((await alone.asTypedArray()).buffer).toBe(all.buffer);
  alone[Symbol.dispose]();
  expect([seen.length, all.length, part.length]).toEqual([4, 0, 0]);
});

test('a block that is larger than any buffer of this Node is refused, or mapped', async () => {
  const bytes = 2 ** 32 + 4096; // a little more than Node 20 has buffers for
  using array = sycl.empty([bytes], 'uint8', { memoryKind: 'host' });
  const part = array.slice([[0, 16]]);
  if (bytes > constants.MAX_LENGTH) {
    const { message } = await refused('ERR_NOT_ACCESSIBLE', () => part.asTypedArray());
    expect(message).toContain(`over ${bytes} bytes of external memory`);
  } else {
    expect(await part.asTypedArray()).toHaveLength(16);
  }
});

test('strings and records are bytes, which may be at any address', async () => {
  for (const dtype of ['|S3', '|V12', '|V7'] as const) {
    using block = sycl.empty([5], dtype, { memoryKind: 'host' });
    for (const view of [block, block.slice([[1, 4]])]) {
      expect(await view.asTypedArray()).toHaveLength(view.nbytes);
    }
  }
});

describe('the addon', () => {
  test('survives if Node has no buffer of a size', async () => {
    const program = `
      import { native } from './native.mjs';
      const array = sycl.empty([2 ** 32 + 4096], 'uint8', { memoryKind: 'host' });
      const { pointer, memory } = array;
      const made = native.mapBuffer(memory.native, pointer, 2 ** 32 + 4096);
      console.log(made === null || made.buffer.byteLength);`;
    const { status, stderr } = await runProgram(program);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('maps neither device memory nor memory beyond a block, and ends a buffer once', async () => {
    const program = `
      const { native: handle } = sycl.empty([64], 'uint8').memory;
      const { native: host, pointer } = sycl.empty([64], 'uint8', { memoryKind: 'host' }).memory;
      const codes = [
        await codeOf(() => native.mapBuffer(handle, 4096n, 1)),
        await codeOf(() => native.mapBuffer(host, pointer + 1n, 64)),
        await codeOf(() => native.mapBuffer(host, pointer - 1n, 1)),
        await codeOf(() => native.unmapBuffer(host, new ArrayBuffer(1))),
      ];
      const { mapped, buffer } = native.mapBuffer(host, pointer + 8n, 8);
      const lengths = [];
      for (const one of [new ArrayBuffer(8), 'none', buffer, buffer]) {
        native.unmapBuffer(mapped, one);
        lengths.push(buffer.byteLength);
      }
      done({ codes, lengths });`;
    expect(await answerOf(program)).toEqual({
      codes: [...Array(3).fill('ERR_NOT_ACCESSIBLE'), 'ERR_TYPE'],
      lengths: [8, 8, 0, 0],
    });
  });
});

describe.each(PENDING_AND_ENDED)('with the work %s', (state) => {
  const START = `
    const one = sycl.createQueue(), other = sycl.createQueue();
    const memoryKind = 'shared', state = '${state}';
    const leave = async () => { if (state === 'ended') await sycl.synchronize(); };
    const settled = (promise, ms) => {
      let is = false;
      promise.then(() => { is = true; });
      return until(() => is, ms);
    };`;

  test('it waits for work on another queue, and for no longer', async () => {
    const program = `${START}
      const array = sycl.empty([64], 'uint8', { memoryKind });
      await sycl.fill(array, 1);
      await sycl.synchronize();
      const release = state === 'pending' ? hold(one) : () => {};
      await sycl.fill(array, 5, { queue: one });
      await leave();
      const asked = array.asTypedArray();
      const during = await settled(asked, state === 'pending' ? 100 : 60_000);
      release();
      done({ during, seen: [...new Set(await asked)] });`;
    expect(await answerOf(program)).toEqual({ during: state === 'ended', seen: [5] });
  });

  test("it waits for a producer's work, and for what a consumer put on the named queue", async () => {
    const program = `${START}
      const pointer = interposer.call('DPCTLmalloc_shared', 64n, referenceOf(one));
      const memset = (queue, value) => interposer.call('DPCTLEvent_Delete',
        interposer.call('DPCTLQueue_Memset', referenceOf(queue), pointer, value, 64n));
      const dict = { shape: [64], typestr: '|u1', data: [pointer, false], version: 1, syclobj: one };
      const theirs = sycl.asArray({ __sycl_usm_array_interface__: dict });
      const release = state === 'pending' ? hold(one) : () => {};
      memset(one, 4n);
      await leave();
      const asked = theirs.asTypedArray();
      const during = [await settled(asked, state === 'pending' ? 100 : 60_000)];
      release();
      const seen = [...new Set(await asked)];

      const ours = sycl.empty([64], 'uint8', { memoryKind, queue: other });
      const { syclobj } = ours.__sycl_usm_array_interface__;
      const free = state === 'pending' ? hold(syclobj) : () => {};
      interposer.call('DPCTLEvent_Delete',
        interposer.call('DPCTLQueue_Memset', referenceOf(syclobj), ours.pointer, 6n, 64n));
      await leave();
      const again = ours.asTypedArray();
      during.push(await settled(again, state === 'pending' ? 100 : 60_000));
      free();
      seen.push(...new Set(await again));
      theirs[Symbol.dispose]();
      await sycl.synchronize();
      interposer.call('DPCTLfree_with_context', pointer, sycl.context()._get_capsule().pointer);
      done({ during, seen });`;
    const ended = state === 'ended';
    expect(await answerOf(program)).toEqual({ during: [ended, ended], seen: [4, 6] });
  });
});

test('memory that was freed during the life of a typed array is not reached through it', async () => {
  const program = `
    const array = await sycl.array(new Uint8Array(4096), { memoryKind: 'host' });
    let seen = await array.asTypedArray();
    array[Symbol.dispose]();
    seen[0] = 7;
    const at = seen[0] ?? null, { length } = seen;
    seen = null; // until now a thread might have its address
    const gone = await until(() => { gc(); return counts().allocations === 0; });
    done({ gone, length, at });`;
  const options = { keepsFreed: true, flags: ['--expose-gc'] };
  expect(await answerOf(program, options)).toEqual({ gone: true, length: 0, at: null });
});

test('an abort ends the wait, and the memory lives until the work has ended', async () => {
  const program = `
    const queue = sycl.createQueue(), source = sycl.empty([64], 'uint8');
    const array = sycl.empty([64], 'uint8', { memoryKind: 'shared' });
    const release = hold(queue);
    await sycl.copy(array, source, { queue });
    const controller = new AbortController();
    const asked = array.asTypedArray({ signal: controller.signal });
    controller.abort(new Error('enough'));
    const why = await asked.catch(({ message }) => message);
    array[Symbol.dispose]();
    await pause(50);
    const during = counts().allocations;
    release();
    done({ why, during, after: await until(() => counts().allocations === 1) });`;
  expect(await answerOf(program, { keepsFreed: true })).toEqual({
    why: 'enough',
    during: 2,
    after: true,
  });
});
