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

/** The work of consumers, which must be ordered with the producer's. Each returns what it borrowed. */
const CONSUMERS = {
  'our work starts after what the producer enqueued': async ({ borrow, result, queue }) => {
    const borrowed = borrow();
    await cuda.copy(result, borrowed, { queue });
    return borrowed;
  },
  'what the producer enqueues later comes after our work': async ({
    producer,
    value,
    borrow,
    result,
    queue,
  }) => {
    await producer.stream.synchronize();
    const borrowed = borrow();
    for (const start of [0, 1, 2, 3]) {
      const part = [[start, null, 4]];
      void cuda.copy(result.slice(part), borrowed.slice(part), { queue });
    }
    producer.write(value + 100);
    await producer.stream.synchronize();
    return borrowed;
  },
};

/** How many times a consumer gets another value than the producer's. */
async function timesWrong(use, consume, options) {
  const producer = makeProducer(use);
  const queue = use(cuda.createStream());
  const result = use(cuda.empty([LENGTH], 'uint8'));
  const borrow = () => cuda.asArray(producer.dict(), options);
  let wrong = 0;
  for (let value = 1; value <= TIMES; value++) {
    producer.write(value);
    const borrowed = await consume({ producer, value, borrow, result, queue });
    const got = await cuda.toTypedArray(result, { queue });
    if (got.some((byte) => byte !== value)) wrong++;
    borrowed[Symbol.dispose]();
    await cuda.synchronize();
  }
  return wrong;
}

const unordered = `wrong with sync 'none', of ${TIMES}`;
for (const sync of ['wait', 'block']) {
  for (const [what, consume] of Object.entries(CONSUMERS)) {
    check(`sync '${sync}': ${what}`, async ({ use, observed }) => {
      assert.equal(await timesWrong(use, consume, { sync }), 0);
      if (sync === 'wait') observed[unordered] = await timesWrong(use, consume, { sync: 'none' });
    });
  }
}

check(
  'the dict of an array names its stream, with work pending and when all has ended',
  async ({ use, stream }) => {
    const array = use(cuda.empty([LENGTH], 'uint8', { queue: stream }));
    for (let i = 0; i < 20; i++) void cuda.fill(array.slice([[i % 2, null, 2]]), i);
    assert.equal(array.__cuda_array_interface__.stream, stream.handle);
    await stream.synchronize();
    assert.equal(array.__cuda_array_interface__.stream, stream.handle);
    assert.equal((await cuda.settle(array)).stream, null);
  },
);
