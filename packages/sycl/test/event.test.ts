import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

interface FailingEvent {
  /** What four askers of one event, whose work failed, hear. */
  askAll(): readonly string[];
}

const require = createRequire(import.meta.url);
const failing = require('../build/Release/test/failing_event.node') as FailingEvent;

test('everyone who asks about work that failed is told', () => {
  const heard = failing.askAll();
  expect(heard[0]).toContain('got asynchronous error -42 from the SYCL runtime');
  expect(heard).toEqual(Array(4).fill(heard[0]));
});
