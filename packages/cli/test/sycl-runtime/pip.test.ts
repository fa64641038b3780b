import { expect, test } from 'vitest';
import { explain } from '../../src/sycl-runtime/pip.js';

test.each([
  [
    'a full disk',
    'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device',
    'the disk is full',
  ],
  [
    'no name service',
    `WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(': Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/dpctl/
ERROR: Could not find a version that satisfies the requirement dpctl==0.22.1 (from versions: none)
ERROR: No matching distribution found for dpctl==0.22.1`,
    'pip cannot reach the package index',
  ],
  [
    'no wheel',
    `ERROR: Could not find a version that satisfies the requirement dpctl==0.22.1 (from versions: 0.14.2)
ERROR: No matching distribution found for dpctl==0.22.1`,
    'pip finds no wheel of dpctl==0.22.1 for this Python and platform',
  ],
  ['anything else', 'ERROR: Invalid wheel', 'pip failed: Invalid wheel'],
  ['nothing', '', 'pip failed'],
])('%s', (_, errors, reason) => {
  const failure = explain(errors);
  expect(failure.message).toBe(reason);
  expect(failure.remedy).not.toBe('');
});
