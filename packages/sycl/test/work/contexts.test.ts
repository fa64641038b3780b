import { type SyclContext, sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { answerOf, PENDING_AND_ENDED } from '../support/interposed.js';
import { refused } from '../support/refused.js';

const SIZE = 2 ** 16;

/** Two parts of a device: contexts of their own, whose memory no one queue reaches. */
function twoParts(): readonly [SyclContext, SyclContext] {
  const [one, other] = sycl.divide(0, 1);
  if (one === undefined || other === undefined) throw new Error('the device has one compute unit');
  return [one, other];
}

test('a queue waits for an event of another context', async () => {
  const [one, other] = twoParts();
  using first = sycl.createQueue({ context: one });
  using second = sycl.createQueue({ context: other });
  using array = sycl.empty([SIZE], 'uint8', { queue: first });
  await sycl.fill(array, 1);
  const event = first.record();
  second.wait(event);
  await second.synchronize();
  expect(event.query()).toBe(true);
});

test.each(['none', 'the source’s', 'the destination’s'])(
  'arrays of two contexts are copied, with a queue named: %s',
  async (named) => {
    const [one, other] = twoParts();
    using near = sycl.createQueue({ context: one });
    using far = sycl.createQueue({ context: other });
    using source = await sycl.array(new Uint8Array(SIZE).fill(3), { queue: near });
    using target = sycl.empty([SIZE], 'uint8', { queue: far });
    using loan = sycl.asArray({
      __sycl_usm_array_interface__: source.__sycl_usm_array_interface__,
    });
    const queues = {
      none: {},
      'the source’s': { queue: near },
      'the destination’s': { queue: far },
    };
    await sycl.copy(target.flip(), loan, queues[named as keyof typeof queues]);
    expect((await sycl.toTypedArray(target))[SIZE - 1]).toBe(3);
  },
);

test('a download refuses a queue that does not reach the array', async () => {
  const [one, other] = twoParts();
  using near = sycl.createQueue({ context: one });
  using far = sycl.createQueue({ context: other });
  using source = await sycl.array([1, 2, 3], { queue: near });
  await refused('ERR_ARGUMENT', () => sycl.toTypedArray(source, { queue: far }));
  expect([...(await sycl.toTypedArray(source, { queue: near }))]).toEqual([1, 2, 3]);
});

describe.each(PENDING_AND_ENDED)('between threads, %s', (state) => {
  test('work on a loan is known to its lender', async () => {
    const program = `
      import { Worker } from 'node:worker_threads';
      const array = await sycl.array(new Uint8Array(64).fill(1));
      const { syclobj: _, ...dict } = array.__sycl_usm_array_interface__;
      const text = \`import { parentPort, workerData } from 'node:worker_threads';
        import { sycl } from \${JSON.stringify(import.meta.resolve('@array-interface/sycl'))};
        sycl.devices();
        const loan = sycl.asArray({ __sycl_usm_array_interface__: { ...workerData, syclobj: 'cpu' } });
        const queue = sycl.createQueue(), source = sycl.empty([64], 'uint8');
        await sycl.fill(source, 7, { queue });
        await queue.synchronize();
        parentPort.postMessage(queue._get_capsule().pointer);
        await new Promise((resolve) => parentPort.once('message', resolve));
        await sycl.copy(loan, source, { queue });
        if (\${JSON.stringify('${state}')} === 'ended') await queue.synchronize();
        parentPort.postMessage('enqueued');
        await new Promise((resolve) => parentPort.once('message', resolve));\`;
      const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(text)), { workerData: dict });
      const answer = () => new Promise((resolve) => worker.once('message', resolve));
      const queue = await answer();
      if ('${state}' === 'pending') interposer.hold(queue);
      worker.postMessage(0);
      await answer();
      const own = sycl.createQueue();
      await sycl.fill(array, 2, { queue: own });
      const during = await until(() => own.query(), ${state === 'ended'} ? 60_000 : 200);
      if ('${state}' === 'pending') interposer.release(queue);
      const [got] = await sycl.toTypedArray(array);
      worker.postMessage(0);
      await new Promise((resolve) => worker.once('exit', resolve));
      array[Symbol.dispose]();
      done({ during, got, left: await rest() });`;
    expect(await answerOf(program)).toEqual({ during: state === 'ended', got: 2, left: true });
  });
});

test('a thread ends once its work on memory of other addons has ended', async () => {
  const program = `
    import { Worker } from 'node:worker_threads';
    const memory = sycl.empty([64], 'uint8', { memoryKind: 'host' });
    const text = \`import { parentPort, workerData } from 'node:worker_threads';
      const { sycl } = await import(\${JSON.stringify(import.meta.resolve('@array-interface/sycl'))});
      const { encodePlan } = await import(\${JSON.stringify(import.meta.resolve('@array-interface/core/backend'))});
      const { native } = await import(\${JSON.stringify(import.meta.resolve('./native.mjs'))});
      const queue = sycl.createQueue(), target = sycl.empty([64], 'uint8', { queue });
      const imported = native.import(queue.context.handle, {});
      parentPort.postMessage(queue._get_capsule().pointer);
      await new Promise((resolve) => parentPort.once('message', resolve));
      native.copy(queue.native, encodePlan({ destination: target.pointer, source: workerData, unit: 1, shape: [64],
        destinationStrides: [1], sourceStrides: [1], conversion: null }), target.memory.native, imported.handle);
      parentPort.postMessage('enqueued');
      setInterval(() => {}, 1000);\`;
    const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(text)), { workerData: memory.pointer });
    const answer = () => new Promise((resolve) => worker.once('message', resolve));
    const queue = await answer();
    interposer.hold(queue);
    worker.postMessage(0);
    await answer();
    let isOver = false;
    const over = worker.terminate().then(() => { isOver = true; });
    await pause(300);
    const during = isOver;
    interposer.release(queue);
    await over;
    memory[Symbol.dispose]();
    done({ during, left: await rest() });`;
  expect(await answerOf(program)).toEqual({ during: false, left: true });
});

describe('a context that nobody can name any more', () => {
  // The engine's own frames may still hold the last round's array. Its context keeps what the call
  // took from it: at most seven blocks, those of a put.
  const FEW = 8;
  const CONTEXTS = `
    const FEW = ${FEW};
    const make = () => sycl.empty([2 ** 16], 'uint8', { context: sycl.divide(0, 1)[0] });
    const areGone = () => until(() => {
      gc();
      const { cached, allocations } = counts(); // of one moment: memory moves from one to the other
      return cached + allocations <= FEW;
    });`;

  /** A copy's kernels, which have no JavaScript object, and kernels of core, which never end. */
  const WORK = { fill: 'sycl.fill(array, 1)', put: 'sycl.put(array, [1], 2)' };

  test.each(
    PENDING_AND_ENDED.flatMap((state) => Object.keys(WORK).map((name) => [state, name] as const)),
  )('keeps no memory, work %s: %s', async (state, name) => {
    const program = `${CONTEXTS}
      const { contexts } = interposer.live();
      for (let i = 0; i < 2 * FEW; i++) {
        const array = make();
        const work = ${WORK[name as keyof typeof WORK]};
        if ('${state}' === 'ended') { await work; await array.synchronize(); }
        array[Symbol.dispose]();
      }
      const gone = await areGone();
      // The runtime may not have freed yet what we count as freed.
      const few = await until(() => blocks() <= FEW && interposer.live().contexts - contexts <= FEW);
      done([gone, few]);`;
    const options = { schedule: 'random:1', flags: ['--expose-gc'] } as const;
    expect(await answerOf(program, options)).toEqual([true, true]);
  });

  test('keeps its memory as long as an array or a loan does', async () => {
    const program = `${CONTEXTS}
      const array = make();
      await sycl.fill(array, 3);
      const loan = sycl.asArray(dictOf(array));
      array[Symbol.dispose]();
      for (let i = 0; i < 5; i++) { gc(); await pause(5); }
      const last = (await sycl.toTypedArray(loan))[2 ** 16 - 1];
      loan[Symbol.dispose]();
      done([last]);`;
    expect(await answerOf(program, { flags: ['--expose-gc'] })).toEqual([3]);
  });

  test('caches memory for the next array while it is referenced', async () => {
    const program = `
      const [context] = sycl.divide(0, 1);
      const addresses = new Set();
      for (let i = 0; i < 5; i++) {
        const array = sycl.empty([2 ** 16], 'uint8', { context });
        addresses.add(array.pointer);
        array[Symbol.dispose]();
        gc(); await pause(5);
      }
      done([addresses.size, counts().cached, context.device]);`;
    expect(await answerOf(program, { flags: ['--expose-gc'] })).toEqual([1, 1, 0]);
  });
});
