import { closeSync } from 'node:fs';
import { cuda, type Ticket } from '@array-interface/cuda';
import { expect, test } from 'vitest';
import { forProcesses } from '../support/for-processes.js';
import { OtherProcess } from '../support/other-process.js';
import { probe } from '../support/probe.js';

const VALUES = Float32Array.of(1, 2, 3, 4);
/** As openers lock it in turn, as docs/sharing.md says. */
const TURN_BYTE = 2 ** 30;
const OPEN = 'state.array = cuda.openShared(value);';
const HURRY =
  'const now = performance.now.bind(performance); performance.now = () => 1000 * now();';

/** Somebody who holds the lock of a ticket's openers. */
function holder({ lease }: Ticket): Disposable {
  const file = probe.lockByte(lease, TURN_BYTE);
  return { [Symbol.dispose]: () => closeSync(file) };
}

test('the event loop goes on while work waits for a lock that another process holds', async () => {
  await using other = new OtherProcess();
  using array = await cuda.array(VALUES);
  const ticket = forProcesses(array);
  await other.run(OPEN, ticket);
  {
    using _ = holder(ticket);
    await other.run(
      'state.done = cuda.fill(state.array, 5); void state.done.then(() => { state.isDone = true; });',
    );
    for (let i = 0; i < 20; i++)
      expect(await other.run('return state.isDone ?? false;')).toBe(false);
  }
  await other.run('await state.done;');
  expect(await cuda.toTypedArray(array)).toEqual(Float32Array.of(5, 5, 5, 5));
  await other.run('state.array[Symbol.dispose](); await cuda.synchronize();');
});

test('later requests run later, whichever work waits', async () => {
  await using other = new OtherProcess();
  using array = await cuda.array(VALUES);
  const ticket = forProcesses(array);
  await other.run(OPEN, ticket);
  {
    using _ = holder(ticket);
    await other.run(
      `
      const { array } = state;
      const queue = cuda.createStream();
      const { twice } = await import(value);
      state.all = Promise.all([
        cuda.fill(array, 5),
        cuda.use(queue, { writes: [array] }, () => { state.hasBegun = true; }),
        cuda.copy(array.slice([[0, 1]]), array.slice([[1, 2]])),
        cuda.copy(array.slice([[2, 4]]), new Float32Array([7, 8])),
        cuda.launch(twice(), { range: [4], group: [32] }, { at: array, n: 4, room: 256 }),
        cuda.toTypedArray(array),
      ]);`,
      import.meta.resolve('../support/twice.mjs'),
    );
    await other.run('state.settled = cuda.settle(state.array);');
    expect(await other.run('return state.hasBegun ?? false;')).toBe(false);
  }
  await other.run('await state.settled;');
  const read = await other.run<number[]>('return [...(await state.all)[5]];');
  expect(read).toEqual([10, 10, 14, 16]);
  expect(await cuda.toTypedArray(array)).toEqual(Float32Array.of(10, 10, 14, 16));
  await other.run('state.array[Symbol.dispose](); await cuda.synchronize();');
});

test('after some seconds the work is refused, and none of it is done', async () => {
  await using other = new OtherProcess();
  using array = await cuda.array(VALUES);
  const ticket = forProcesses(array);
  await other.run(OPEN, ticket);
  // Built already, so that nothing but the lock is waited for.
  await other.run(
    `const { twice } = await import(value);
    const warm = cuda.empty([4], 'float32');
    state.launch = (at) => cuda.launch(state.kernel, { range: [4], group: [32] }, { at, n: 4, room: 256 });
    state.kernel = twice();
    await state.launch(warm);
    warm[Symbol.dispose]();`,
    import.meta.resolve('../support/twice.mjs'),
  );
  {
    using _ = holder(ticket);
    for (const work of [
      'await cuda.fill(state.array, 5);',
      'await state.launch(state.array);',
      'await cuda.copy(state.array, new Float32Array(4));',
      'await cuda.toTypedArray(state.array);',
      'await cuda.use(cuda.createStream(), { writes: [state.array] }, () => { state.hasBegun = true; });',
      'return String(state.array.__cuda_array_interface__);', // answers at once, and does not wait long
    ]) {
      const refusal = await other.refusal(`${HURRY} ${work}`);
      expect(refusal.code, work).toBe('ERR_TICKET');
      expect(refusal.message, work).toContain('got one that another process holds; release');
    }
  }
  expect(await other.run('return state.hasBegun ?? false;')).toBe(false);
  expect(await cuda.toTypedArray(array)).toEqual(VALUES);
  await other.run(
    'await cuda.fill(state.array, 6); state.array[Symbol.dispose](); await cuda.synchronize();',
  );
  expect(await cuda.toTypedArray(array)).toEqual(Float32Array.of(6, 6, 6, 6));
});

test('a ticket is opened while another process holds the lock', async () => {
  await using other = new OtherProcess();
  using array = await cuda.array(VALUES);
  const ticket = forProcesses(array);
  using _ = holder(ticket);
  expect(await other.run(`${OPEN} return state.array.shape;`, ticket)).toEqual([4]);
  await other.run('state.array[Symbol.dispose]();');
});
