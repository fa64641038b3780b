import { test } from 'vitest';
import { expectChecks } from './counted.js';

test('events are polled in order, and seldom; tickets are opened once', () => {
  expectChecks('threads_test', 47);
});
