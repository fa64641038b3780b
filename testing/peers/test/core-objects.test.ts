import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pythonOf, simulator } from './support/python.js';

const program = fileURLToPath(new URL('../python/core_objects.py', import.meta.url));

test("cuda.core's devices, buffers, events, streams, pools and mapped memory work", () => {
  const [node, command] = simulator;
  const answer = execFileSync(node, [command, pythonOf('cuda'), program], {
    encoding: 'utf8',
    env: {
      ...process.env,
      CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING: '1',
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  expect(JSON.parse(answer)).toEqual({
    properties: 143,
    'foreign stream': true,
    'device memory': true,
    pool: true,
    elapsed: true,
    mapped: true,
  });
});
