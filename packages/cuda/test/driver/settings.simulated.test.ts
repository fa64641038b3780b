import type { Availability } from '@array-interface/core/backend';
import { expect, test } from 'vitest';
import { runChild } from '../support/child.js';

test('a setting that the simulator refuses must be corrected; no other driver is needed', async () => {
  const program = `import { cuda } from '@array-interface/cuda';
    console.log(JSON.stringify(cuda.availability));`;
  const { stdout, stderr } = await runChild(program, { CUDA_SIMULATOR_DEVICES: 'many' });
  expect(stderr).toContain('CUDA_SIMULATOR_DEVICES: expected a whole number');
  const answer = JSON.parse(stdout) as Availability;
  expect(answer).toMatchObject({
    available: false,
    remedy: 'correct the CUDA_SIMULATOR_… variable that the simulator names on standard error',
  });
});
