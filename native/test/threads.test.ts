import { test } from 'vitest';
import { expectChecks } from './counted.js';

test('what is waited for is looked at in order, and seldom', () => {
  expectChecks('threads_test', 35);
});
