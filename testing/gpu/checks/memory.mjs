import assert from 'node:assert/strict';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';

check(
  'a pool: memory in the order of a stream, and what the driver tells of it',
  async ({ use, stream: queue }) => {
    const pool = use(cuda.createPool());
    for (let i = 0; i < 20; i++) {
      const array = use(cuda.empty([1000], 'uint8', { pool, queue }));
      await cuda.fill(array, i);
      assert.deepEqual(await cuda.toTypedArray(array), new Uint8Array(1000).fill(i));
      const found = cuda.inspectPointer(array.pointer);
      assert.equal(found.memoryKind, 'device');
      assert.equal(found.detail, 'pool');
      assert.equal(found.device, 0);
    }
  },
);

check('registered memory is worked on in place', async ({ use }) => {
  const view = new Float32Array(new SharedArrayBuffer(4096), 16, 100);
  const array = use(cuda.register(view));
  await cuda.fill(array, 7);
  await array.synchronize();
  assert.ok(view.every((value) => value === 7));
});

check('long rows in two and three dimensions', async ({ use }) => {
  const from = use(cuda.empty([4, 6, 700], 'uint8'));
  const to = use(cuda.empty([4, 6, 600], 'uint8'));
  await cuda.fill(from, 3);
  for (const rows of [6, 5]) {
    const part = [
      [0, 4],
      [0, rows],
      [0, 512],
    ];
    await cuda.fill(to, 0);
    await cuda.copy(to.slice(part), from.slice(part));
    const written = (await cuda.toTypedArray(to)).filter((value) => value === 3);
    assert.equal(written.length, 4 * rows * 512);
  }
});

check('events with times', async ({ use, stream }) => {
  const array = use(cuda.empty([1 << 24], 'uint8', { queue: stream }));
  const start = stream.record({ timing: true });
  await cuda.fill(array, 1);
  const end = stream.record({ timing: true });
  await end.synchronize();
  assert.ok(end.elapsedSince(start) > 0);
});

check('tickets are opened once in this process, whatever the kind of memory', async ({ use }) => {
  for (const options of [{}, { memoryKind: 'shared' }, { memoryKind: 'host' }]) {
    const array = use(await cuda.array(Uint8Array.of(1, 2, 3), options));
    const ticket = use(cuda.share(array));
    const opened = use(cuda.openShared(ticket));
    assert.deepEqual(await cuda.toTypedArray(opened), Uint8Array.of(1, 2, 3));
    assert.throws(() => cuda.openShared(ticket), { code: 'ERR_TICKET' });
  }
});
