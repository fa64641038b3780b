import { test } from 'vitest';
import { expectChecks } from './counted.js';

test('memory is worked on in order and given back when nobody needs it', () => {
  expectChecks('memory_test', 1939);
});
