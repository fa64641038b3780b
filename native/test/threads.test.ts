import { test } from 'vitest';
import { expectChecks } from './counted.js';

test('what is waited for is looked at in order, and seldom; tickets are opened once', () => {
  expectChecks('threads_test', 46);
});
