import assert from 'node:assert/strict';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';
import { busy } from '../driver/driver.mjs';
import { foreign } from '../driver/foreign.mjs';

// CAI v3, "Synchronization". The producer's work is long enough for a consumer that does not wait
// to overtake it; how often one does that is observed, and not certain on a real device.

const TIMES = 10;
const LENGTH = busy(1 << 25);

function makeProducer(use) {
  const stream = use(cuda.createStream());
  const array = use(cuda.empty([LENGTH], 'uint8', { queue: stream }));
  // Strided, so that it takes longer than what the consumer does.
  const write = (value) => {
    for (const start of [0, 1, 2, 3]) {
      void cuda.fill(array.slice([[start, null, 4]]), value, { queue: stream });
    }
  };
  return { stream, array, write, dict: () => foreign(array, {}, stream.handle) };
}

const wrongOnes = (bytes, value) =>
  bytes.reduce((count, byte) => count + (byte === value ? 0 : 1), 0);

async function readWhilePending(use, options) {
  const producer = makeProducer(use);
  const consumer = use(cuda.createStream());
  const result = use(cuda.empty([LENGTH], 'uint8'));
  let wrong = 0;
  for (let value = 1; value <= TIMES; value++) {
    producer.write(value);
    const borrowed = cuda.asArray(producer.dict(), options);
    await cuda.copy(result, borrowed, { queue: consumer });
    wrong += wrongOnes(await cuda.toTypedArray(result, { queue: consumer }), value) > 0 ? 1 : 0;
    borrowed[Symbol.dispose]();
    await cuda.synchronize();
  }
  return wrong;
}

async function writeWhileReading(use, options) {
  const producer = makeProducer(use);
  const consumer = use(cuda.createStream());
  const result = use(cuda.empty([LENGTH], 'uint8'));
  let wrong = 0;
  for (let value = 1; value <= TIMES; value++) {
    producer.write(value);
    await producer.stream.synchronize();
    const borrowed = cuda.asArray(producer.dict(), options);
    for (const start of [0, 1, 2, 3]) {
      const part = [[start, null, 4]];
      void cuda.copy(result.slice(part), borrowed.slice(part), { queue: consumer });
    }
    producer.write(value + 100);
    await producer.stream.synchronize();
    wrong += wrongOnes(await cuda.toTypedArray(result, { queue: consumer }), value) > 0 ? 1 : 0;
    borrowed[Symbol.dispose]();
    await cuda.synchronize();
  }
  return wrong;
}

const unordered = `wrong with sync 'none', of ${TIMES}`;
for (const sync of ['wait', 'block']) {
  check(
    `sync '${sync}': our work starts after what the producer enqueued`,
    async ({ use, observed }) => {
      assert.equal(await readWhilePending(use, { sync }), 0);
      if (sync === 'wait') observed[unordered] = await readWhilePending(use, { sync: 'none' });
    },
  );
  check(
    `sync '${sync}': what the producer enqueues later comes after our work`,
    async ({ use, observed }) => {
      assert.equal(await writeWhileReading(use, { sync }), 0);
      if (sync === 'wait') observed[unordered] = await writeWhileReading(use, { sync: 'none' });
    },
  );
}

check(
  'the dict of an array names its stream, with work pending and when all has ended',
  async ({ use }) => {
    const stream = use(cuda.createStream());
    const array = use(cuda.empty([LENGTH], 'uint8', { queue: stream }));
    for (let i = 0; i < 20; i++) void cuda.fill(array.slice([[i % 2, null, 2]]), i);
    assert.equal(array.__cuda_array_interface__.stream, stream.handle);
    await stream.synchronize();
    assert.equal(array.__cuda_array_interface__.stream, stream.handle);
    assert.equal((await cuda.settle(array)).stream, null);
  },
);
