import assert from 'node:assert/strict';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';
import { busy } from '../driver/driver.mjs';

check('streams have handles of their own and run beside the default stream', ({ use, stream }) => {
  const blocking = use(cuda.createQueue({ nonBlocking: false }));
  assert.ok(stream.handle > 2n && blocking.handle > 2n && stream.handle !== blocking.handle);
  assert.deepEqual([stream.nonBlocking, blocking.nonBlocking], [true, false]);
  assert.equal(cuda.stream(stream.handle).handle, stream.handle);
  assert.equal(use(cuda.createStream({ priority: -1 })).priority, -1);
});

check('the default streams, 1 and 2, do work', async ({ use }) => {
  const array = use(cuda.empty([1000], 'float32'));
  for (const handle of [1n, 2n]) {
    const queue = cuda.stream(handle);
    await cuda.fill(array, Number(handle), { queue });
    await queue.synchronize();
    assert.equal(queue.query(), true);
    const filled = new Float32Array(1000).fill(Number(handle));
    assert.deepEqual(await cuda.toTypedArray(array, { queue }), filled);
  }
});

check('an event is reached when the work before it has ended', async ({ use, stream }) => {
  const array = use(cuda.empty([busy(1 << 24)], 'uint8', { queue: stream }));
  void cuda.fill(array, 7);
  const event = stream.record();
  await event.synchronize();
  assert.equal(event.query(), true);
  void cuda.fill(array, 8);
  const later = stream.record();
  later.synchronizeSync();
  assert.equal(later.query(), true);
  assert.equal(stream.query(), true);
});

check('a stream waits for an event of another', async ({ use }) => {
  const first = use(cuda.createStream());
  const second = use(cuda.createStream());
  const source = use(cuda.empty([busy(1 << 26)], 'uint8', { queue: first }));
  const target = use(cuda.empty([busy(1 << 26)], 'uint8', { queue: second }));
  for (let round = 1; round <= 10; round++) {
    void cuda.fill(source, round, { queue: first });
    second.wait(first.record());
    void cuda.copy(target, source, { queue: second });
    first.wait(second.record());
  }
  await second.synchronize();
  const got = await cuda.toTypedArray(target);
  assert.equal(
    got.findIndex((value) => value !== 10),
    -1,
  );
});

check('waiting holds neither the event loop nor the thread', async ({ use, observed, stream }) => {
  const array = use(cuda.empty([busy(1 << 27)], 'uint8', { queue: stream }));
  for (let i = 0; i < 200; i++) void cuda.fill(array.slice([[i % 2, null, 2]]), i % 251);
  let turns = 0;
  let settled = false;
  const done = stream.synchronize().then(() => {
    settled = true;
  });
  while (!settled) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  await done;
  observed['turns of the event loop'] = turns;
  assert.ok(turns > 0);
});

check('a wait that is aborted is an AbortError, and the work goes on', async ({ use, stream }) => {
  const array = use(cuda.empty([1 << 20], 'uint8', { queue: stream }));
  void cuda.fill(array, 3);
  await assert.rejects(stream.synchronize({ signal: AbortSignal.abort() }), { name: 'AbortError' });
  const got = await cuda.toTypedArray(array);
  assert.ok(got.every((value) => value === 3));
});

check(
  'the stream of somebody else is not destroyed with the object that stands for it',
  async ({ stream }) => {
    cuda.stream(stream.handle)[Symbol.dispose]();
    await stream.synchronize();
    assert.equal(stream.query(), true);
  },
);
