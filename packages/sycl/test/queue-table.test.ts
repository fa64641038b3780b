import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface FailingQueue {
  /** Waits for three queues, one of which throws, and ends that one. */
  waitForAll(): object;
}

const folder =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(import.meta.dirname, '../build/Release');
const require = createRequire(import.meta.url);

test('a queue that cannot be waited for keeps no other waiting, and ends all the same', () => {
  const failing = require(join(folder, 'test/failing_queue.node')) as FailingQueue;
  expect(failing.waitForAll()).toEqual({ waited: 3, left: 2 });
});
