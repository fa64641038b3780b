import { test } from 'vitest';
import { expectChecks } from './counted.js';

test('work on memory is ordered, and memory is freed when nobody needs it', () => {
  expectChecks('memory_test', 1939);
});
