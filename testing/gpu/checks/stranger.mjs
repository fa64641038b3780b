import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';
import { busy } from '../driver/driver.mjs';
import { probe } from '../driver/probe.mjs';

// Another library in the process: consumers of our dicts, producers without a stream, and work of theirs
// that does not end. What is held ends with the check, whatever came of it.

const LENGTH = busy(1 << 24);

const isAll = (bytes, value) => bytes.every((byte) => byte === value);

/** An idle array of ones, and the stream that its dict names. */
async function idle() {
  const array = cuda.empty([LENGTH], 'uint8');
  await cuda.fill(array, 1);
  await array.synchronize();
  const { stream } = array.__cuda_array_interface__;
  assert.equal(typeof stream, 'bigint', 'the dict of an idle array names no stream');
  return { array, stream };
}

/** A consumer that has put a read on the stream, behind work that has not ended. */
function reading(stranger, { array, stream }) {
  const copy = stranger.memory(LENGTH, 0);
  const release = stranger.hold(stream);
  probe.copy(stream, copy, array.pointer, LENGTH);
  return { copy, release };
}

check(
  'our next write does not overtake the read of a consumer of an idle array',
  async ({ use, stranger }) => {
    const given = await idle();
    use(given.array);
    const { copy, release } = reading(stranger, given);
    const other = use(cuda.createStream());
    await cuda.fill(given.array, 9, { queue: other });
    await pause(100);
    assert.equal(other.query(), false, 'the write did not wait');
    release();
    await cuda.synchronize();
    probe.synchronizeStream(given.stream);
    assert.ok(isAll(probe.readBytes(copy, LENGTH), 1));
    assert.ok(isAll(await cuda.toTypedArray(given.array), 9));
  },
);

check('memory is not given again while a consumer reads it', async ({ use, stranger }) => {
  const given = await idle();
  const { pointer } = given.array;
  const { copy, release } = reading(stranger, given);
  given.array[Symbol.dispose]();
  const next = use(cuda.empty([LENGTH], 'uint8'));
  assert.notEqual(next.pointer, pointer);
  await cuda.fill(next, 9);
  await pause(100);
  release();
  await cuda.synchronize();
  await cuda.releaseCached(); // waits for the device
  assert.ok(isAll(probe.readBytes(copy, LENGTH), 1));
});

const COUNT = 50;
const ODD_LENGTH = 123_457; // of no other array

check(
  `${COUNT} disposed arrays are there again while a stranger's work runs`,
  async ({ stranger }) => {
    stranger.hold(stranger.stream());
    const make = () => Array.from({ length: COUNT }, () => cuda.empty([ODD_LENGTH], 'uint8'));
    const pointers = new Set();
    for (const array of make()) {
      pointers.add(array.pointer);
      await cuda.fill(array, 1);
      array[Symbol.dispose]();
    }
    const end = Date.now() + 5000;
    for (;;) {
      await pause(20);
      const again = make();
      const missing = again.filter(({ pointer }) => !pointers.has(pointer));
      for (const array of again) {
        pointers.add(array.pointer);
        array[Symbol.dispose]();
      }
      if (missing.length === 0) return;
      assert.ok(Date.now() < end, `${missing.length} are new memory after 5 s`);
    }
  },
);

check("the event loop turns while a stranger's work runs", async ({ observed, stranger }) => {
  stranger.hold(stranger.stream());
  let longest = 0;
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    const array = cuda.empty([100_003 + i], 'uint8', { memoryKind: i % 2 ? 'host' : 'device' });
    const filled = cuda.fill(array, i);
    array[Symbol.dispose]();
    longest = Math.max(longest, performance.now() - start);
    await filled;
    await pause(1);
  }
  observed['longest turn, ms'] = longest.toFixed(1);
  assert.ok(longest < 500);
});

/** A producer without a stream, whose upload is pending on the legacy stream, as Numba's is. */
function uploading(stranger) {
  const pointer = stranger.memory(LENGTH, 1);
  const release = stranger.hold(1n);
  probe.memset(1n, pointer, 2, LENGTH);
  const dict = {
    version: 3,
    shape: [LENGTH],
    typestr: '|u1',
    data: [pointer, false],
    stream: null,
  };
  return { producer: { __cuda_array_interface__: dict }, release };
}

check('what works on the legacy stream and names none is waited for', async ({ use, stranger }) => {
  const { producer, release } = uploading(stranger);
  const array = use(cuda.asArray(producer));
  const copy = cuda.toTypedArray(array);
  await pause(50);
  release();
  assert.ok(isAll(await copy, 2));
});

check("with 'producerStream: null' it is not waited for", async ({ use, stranger }) => {
  const { producer } = uploading(stranger);
  const array = use(cuda.asArray(producer, { producerStream: null }));
  assert.ok(isAll(await cuda.toTypedArray(array), 1));
});

check('two streams read one array side by side', async ({ use, stranger }) => {
  const source = use(cuda.empty([LENGTH], 'uint8'));
  await cuda.fill(source, 3);
  await source.synchronize();
  const [held, free] = [use(cuda.createStream()), use(cuda.createStream())];
  const release = stranger.hold(held.handle);
  const first = cuda.toTypedArray(source, { queue: held });
  const second = cuda.toTypedArray(source, { queue: free }); // ends while the first has not begun
  const isSideBySide = await Promise.race([second.then(() => true), pause(5000, false)]);
  release();
  assert.ok(isSideBySide, 'the second waits for the first');
  assert.ok(isAll(await second, 3));
  assert.ok(isAll(await first, 3));
});
