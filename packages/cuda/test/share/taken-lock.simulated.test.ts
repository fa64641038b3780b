import { fileURLToPath } from 'node:url';
import { type CudaArray, cuda } from '@array-interface/cuda';
import { expect, test } from 'vitest';
import { forProcesses } from '../support/for-processes.js';
import { OtherProcess } from '../support/other-process.js';

const VALUES = Float32Array.of(1, 2, 3, 4);

// Another process takes the lock between the work and the record of it, so that the work cannot be
// refused any more. The driver has no way to wait for it on this thread.
const TAKEN = `
  const probe = process.getBuiltinModule('node:module').createRequire('/')(value.probe);
  const { closeSync } = process.getBuiltinModule('node:fs');
  const queue = cuda.createStream();
  state.array = cuda.openShared(value.ticket);
  await state.array.synchronize();
  probe.makeCurrent(0);
  probe.fail('cuStreamSynchronize:*,cuCtxSynchronize:*,cuEventSynchronize:*');
  state.release = probe.hold(queue.handle);
  state.take = () => { state.file = probe.lockByte(value.ticket.lease, 2 ** 30); };
  state.give = () => closeSync(state.file);
  Object.assign(state, { probe, queue });`;

/** Another process that has opened an array, and can take and give the lock of its ticket. */
async function opener(array: CudaArray): Promise<OtherProcess> {
  const other = new OtherProcess();
  const probe = fileURLToPath(
    new URL('../../build/Release/test/driver_probe.node', import.meta.url),
  );
  await other.run(TAKEN, { probe, ticket: forProcesses(array) });
  return other;
}

test('pending work does not block a thread if another process takes the lock, and settles once others know of it', async () => {
  using array = await cuda.array(VALUES);
  await using other = await opener(array);
  await other.run(`
    state.used = cuda.use(state.queue, { writes: [state.array] }, (queue) => {
      state.take();
      state.probe.memset(queue.handle, state.array.descriptor.pointer, 0, 16);
    }).then(() => { state.isDone = true; });`);
  for (let i = 0; i < 20; i++) expect(await other.run('return state.isDone ?? false;')).toBe(false);
  await other.run('state.give(); await state.used;');
  // The device has not begun, and the sharer's work comes after it.
  const read = cuda.toTypedArray(array);
  await other.run('state.release();');
  expect(await read).toEqual(new Float32Array(4));
  await other.run('state.probe.fail(""); state.array[Symbol.dispose](); await cuda.synchronize();');
});

test('or once it has ended', async () => {
  using array = await cuda.array(VALUES);
  await using other = await opener(array);
  await other.run(`
    state.used = cuda.use(state.queue, { writes: [state.array] }, state.take);
    state.used.then(() => { state.isDone = true; });`);
  expect(await other.run('return state.isDone ?? false;')).toBe(false);
  await other.run('state.release(); await state.used; state.give();');
  await other.run('state.probe.fail(""); state.array[Symbol.dispose](); await cuda.synchronize();');
});

test('recordUse says that others do not know yet; the caller waits for its end or calls again', async () => {
  using array = await cuda.array(VALUES);
  await using other = await opener(array);
  await other.run('state.take();');
  const refusal = await other.refusal('state.array.recordUse(state.queue);');
  expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'array' });
  expect(refusal.message).toContain('the work is recorded here: await array.synchronize()');
  await other.run('state.ended = state.array.synchronize(); state.release(); await state.ended;');
  await other.run('state.give(); state.array.recordUse(state.queue);');
  await other.run('state.probe.fail(""); state.array[Symbol.dispose](); await cuda.synchronize();');
});
