import { describe, expect, test } from 'vitest';
import { answerOf } from '../support/interposed.js';

const MIB = 2 ** 20;

describe('a device that is nearly full', () => {
  const options = { limit: 64 * MIB, schedule: 'lazy' } as const;

  test('has room for any number of arrays, one at a time', async () => {
    const program = `
      const sizes = new Set();
      for (let i = 0; i < 40; i++) {
        const x = sycl.empty([24 * 2 ** 20 + i * 64], 'uint8');
        sizes.add(x.shape[0]);
        await sycl.fill(x.slice([[0, 16]]), 7);
        x[Symbol.dispose]();
      }
      done(sizes.size);`;
    expect(await answerOf(program, options)).toBe(40);
  });

  const HELD = `
    const queue = sycl.createQueue();
    const big = () => sycl.empty([40 * 2 ** 20], 'uint8');
    const used = big();
    await sycl.fill(used, 1); await sycl.synchronize();
    const release = hold(queue);
    await sycl.fill(used, 2, { queue });
    used[Symbol.dispose]();`;

  test('says after a second how much is being freed', async () => {
    const program = `${HELD}
      const start = performance.now();
      let answer;
      try { big(); } catch ({ code, reason, call }) { answer = { code, reason, call }; }
      const took = performance.now() - start;
      release();
      await queue.synchronize();
      done({ ...answer, isBounded: took > 900 && took < 20_000, size: big().shape[0] });`;
    expect(await answerOf(program, options)).toEqual({
      code: 'ERR_OUT_OF_MEMORY',
      reason: expect.stringMatching(
        /expected 41943040 bytes on opencl:cpu:0, got none; 4194304\d bytes are still pending: /,
      ),
      call: 'DPCTLaligned_alloc_device',
      isBounded: true,
      size: 40 * MIB,
    });
  });

  test('lets a promise wait as long as it takes, while the event loop runs', async () => {
    const program = `${HELD}
      let ticks = 0;
      const timer = setInterval(() => ticks++, 10);
      const made = sycl.array(new Uint8Array(40 * 2 ** 20).fill(5));
      await pause(2000);
      const during = ticks > 50;
      release();
      const array = await made;
      clearInterval(timer);
      done({ during, last: (await sycl.toTypedArray(array.slice([[-1, null]])))[0] });`;
    expect(await answerOf(program, options)).toEqual({ during: true, last: 5 });
  });

  test('reuses cached memory of another size', async () => {
    const program = `
      for (const size of [40, 41, 42, 43]) {
        sycl.empty([size * 2 ** 20], 'uint8')[Symbol.dispose]();
      }
      done(counts().cached);`;
    expect(await answerOf(program, options)).toBe(1);
  });

  test('is full, with nothing being freed', async () => {
    const program = `
      const first = sycl.empty([40 * 2 ** 20], 'uint8');
      const messages = [];
      for (const make of [() => sycl.empty([40 * 2 ** 20], 'uint8'), () => sycl.array(new Uint8Array(40 * 2 ** 20))]) {
        try { await make(); } catch ({ code, message }) { messages.push(code + message.split(';')[1]); }
      }
      done({ messages, left: first.shape[0] });`;
    const message = 'ERR_OUT_OF_MEMORY nothing is pending: dispose of arrays or use smaller ones';
    expect(await answerOf(program, options)).toEqual({
      messages: [message, message],
      left: 40 * MIB,
    });
  });
});

// As the README says it.
test.each(['host', 'shared'])('of %s memory, 64 MiB are kept', async (memoryKind) => {
  const program = `
    const made = () => sycl.empty([4 * ${MIB}], 'uint8', { memoryKind: '${memoryKind}' });
    const arrays = Array.from({ length: 40 }, made);
    for (const array of arrays) array[Symbol.dispose]();
    await until(() => counts().allocations === 0, 40_000);
    const { allocations, cached } = counts();
    done({ allocations, cached });`;
  expect(await answerOf(program)).toEqual({ allocations: 0, cached: 64 / 4 });
});

test('an allocation that the runtime refuses while memory is cached is tried again', async () => {
  const program = `
    sycl.empty([1000], 'uint8')[Symbol.dispose]();
    await until(() => counts().cached === 1);
    interposer.refuse(1);
    const array = sycl.empty([2000], 'uint8');
    done({ size: array.shape[0], blocks: blocks() });`;
  expect(await answerOf(program)).toEqual({ size: 2000, blocks: 1 });
});

test('nothing waits for one array whose work does not end', async () => {
  const program = `
    const queue = sycl.createQueue();
    const used = sycl.empty([16], 'uint8', { queue });
    await sycl.fill(used, 1); await sycl.synchronize();
    const release = hold(queue);
    await sycl.fill(used, 2);
    used[Symbol.dispose](); // keeps itself and what the number was uploaded through
    const ended = sycl.createQueue();
    ended[Symbol.dispose]();
    for (let i = 0; i < 50; i++) sycl.empty([2 ** 20 + i], 'uint8')[Symbol.dispose]();
    const left = await until(() => counts().allocations === 2);
    await sycl.releaseCached();
    const during = { left, blocks: blocks(), isBusy: !queue.query() };
    release();
    const all = await rest();
    await sycl.releaseCached();
    done({ during, all, blocks: blocks() });`;
  const during = { left: true, blocks: 2, isBusy: true };
  expect(await answerOf(program)).toEqual({ during, all: true, blocks: 0 });
});

test('nothing waits for a disposed queue that does not end', async () => {
  const program = `
    const array = sycl.empty([16], 'uint8');
    await sycl.fill(array, 1); await sycl.synchronize();
    const before = counts().queues;
    const queue = sycl.createQueue(), idle = sycl.createQueue();
    const release = hold(queue);
    await sycl.fill(array, 2, { queue });
    queue[Symbol.dispose]();
    idle[Symbol.dispose]();
    const other = sycl.empty([32], 'uint8');
    other[Symbol.dispose]();
    const during = { other: await until(() => counts().allocations === 2), queues: await until(() => counts().queues === before + 1) };
    let isSettled = false;
    const settled = sycl.synchronize().then(() => { isSettled = true; });
    await pause(50);
    during.isSettled = isSettled;
    release();
    await settled;
    array[Symbol.dispose]();
    done({ during, after: await until(() => counts().queues === before) });`;
  const during = { other: true, queues: true, isSettled: false };
  expect(await answerOf(program)).toEqual({ during, after: true });
});

test('a disposed queue is kept until its work has ended, whoever else held it', async () => {
  const program = `
    const array = sycl.empty([16], 'uint8');
    await sycl.fill(array, 1); await sycl.synchronize();
    const before = counts().queues;
    const queue = sycl.createQueue();
    const release = hold(queue);
    await sycl.fill(array, 2, { queue });
    queue[Symbol.dispose]();
    array[Symbol.dispose]();
    let isSettled = false;
    const settled = sycl.synchronize().then(() => { isSettled = true; });
    await pause(100);
    const during = { isSettled, queues: counts().queues - before };
    release();
    await settled;
    done({ during, after: await until(() => counts().queues === before) });`;
  const during = { isSettled: false, queues: 1 };
  expect(await answerOf(program)).toEqual({ during, after: true });
});

test('a runtime whose free waits for the device delays neither JavaScript nor cached memory', async () => {
  const program = `
    const queue = sycl.createQueue();
    const used = sycl.empty([16], 'uint8', { queue });
    await sycl.fill(used, 1); await sycl.synchronize();
    const release = hold(queue);
    await sycl.fill(used, 2);
    const start = performance.now();
    const pointers = new Set();
    sycl.empty([1], 'uint8', { alignment: 4096 })[Symbol.dispose](); // is not kept, so freed
    for (let i = 0; i < 50; i++) {
      const array = sycl.empty([2 ** 20], 'uint8');
      pointers.add(array.pointer);
      await sycl.fill(array, 1);
      await array.synchronize();
      array[Symbol.dispose]();
      await until(() => counts().cached > 0);
    }
    const isQuick = performance.now() - start < 60_000;
    release();
    await until(() => counts().allocations === 1);
    await sycl.releaseCached();
    done({ isQuick, pointers: pointers.size, blocks: blocks() });`;
  expect(await answerOf(program, { blockingFree: true })).toEqual({
    isQuick: true,
    pointers: 1,
    blocks: 1,
  });
});

test('staging memory of uploads is reused', async () => {
  const program = `
    const array = sycl.empty([2 ** 16], 'uint8');
    const bytes = new Uint8Array(2 ** 16);
    await sycl.copy(array, bytes);
    await array.synchronize();
    await until(() => counts().cached === 1);
    const { number } = interposer.log().at(-1);
    for (let i = 0; i < 50; i++) {
      await sycl.copy(array, bytes);
      await array.synchronize();
      await until(() => counts().cached === 1);
    }
    done(whats(interposer.log(number)).filter((what) => what === 'allocate').length);`;
  expect(await answerOf(program)).toBe(0);
});

test('memory of a larger alignment, or of another kind or device, is not reused for other requests', async () => {
  const program = `
    const made = [];
    for (const options of [{}, { alignment: 4096 }, { memoryKind: 'host' }, { memoryKind: 'shared' }, { device: 1 }]) {
      const array = sycl.empty([4096], 'uint8', options);
      const { memoryKind, device } = array.memory;
      made.push([memoryKind, device, array.pointer % BigInt(options.alignment ?? 64) === 0n]);
      array[Symbol.dispose]();
      await rest();
    }
    done({ made, kept: counts().cached });`;
  const made = [
    ['device', 0, true],
    ['device', 0, true],
    ['host', 0, true],
    ['shared', 0, true],
    ['device', 1, true],
  ];
  expect(await answerOf(program, { devices: 2 })).toEqual({ made, kept: 4 });
});

test('ten thousand copies keep a handful of events, without returning to the event loop', async () => {
  const program = `
    const a = sycl.empty([1024], 'float32'), b = sycl.empty([1024], 'float32');
    const queues = [true, false].map((inOrder) => sycl.createQueue({ inOrder }));
    for (const queue of queues) queue._get_capsule();
    let most = 0;
    for (let i = 0; i < 10_000; i++) {
      await sycl.copy(a, b, i % 3 === 0 ? {} : { queue: queues[i % 2] });
      if (i % 100 === 0) most = Math.max(most, interposer.live().events);
    }
    const areEqual = interposer.live().events === counts().events;
    done({ isFew: most < 20 || most, areEqual });`;
  expect(await answerOf(program)).toEqual({ isFew: true, areEqual: true });
});

test('arrays whose work was seen to be complete keep no events', async () => {
  const program = `
    const queue = sycl.createQueue();
    const release = hold(queue); // whoever has it may enqueue: so each piece of work gets an event of its own
    const arrays = [];
    for (let i = 0; i < 50; i++) {
      const array = sycl.empty([16], 'uint8', { queue });
      await sycl.fill(array, i);
      arrays.push(array);
    }
    const before = interposer.live().events;
    release();
    for (const array of arrays) await array.synchronize();
    await until(() => counts().allocations === 50);
    done({ isMany: before >= 50, after: interposer.live().events < 10 || interposer.live().events });`;
  expect(await answerOf(program)).toEqual({ isMany: true, after: true });
});

test.each([
  ['query', 'until(() => point.query())'],
  ['synchronize', 'point.synchronize()'],
  ['synchronizeSync', 'point.synchronizeSync()'],
])('work that %s saw complete keeps no event of the runtime', async (_, way) => {
  const program = `
    const queue = sycl.createQueue();
    const array = sycl.empty([16], 'uint8', { queue }), source = await sycl.array(new Uint8Array(16));
    await sycl.synchronize();
    const release = hold(queue); // whoever has it may enqueue: so each point is an event of its own
    const points = [];
    for (let i = 0; i < 20; i++) {
      await sycl.copy(array, source);
      points.push(queue.record());
    }
    const before = interposer.live().events;
    release();
    for (const point of points) await ${way};
    done({ areMany: before >= 20, after: interposer.live().events < 5 || interposer.live().events });`;
  expect(await answerOf(program)).toEqual({ areMany: true, after: true });
});
