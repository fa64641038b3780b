import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { pythonOf, simulator } from './python.js';

// The cases that compile no kernel: all others need a compiler of NVIDIA's, or CuPy.
const KERNEL_FREE = [
  'test_as_cuda_array',
  'test_consume_no_stream',
  'test_consume_no_sync',
  'test_consume_stream',
  'test_consume_sync',
  'test_consume_sync_disabled',
  'test_consuming_strides',
  'test_masked_array',
  'test_negative_strided_copy_to_host',
  'test_negative_strided_issue',
  'test_ownership',
  'test_produce_managed_no_stream',
  'test_produce_managed_stream',
  'test_produce_no_stream',
  'test_produce_stream',
  'test_strides',
];

test.each(['lazy', 'eager'])("Numba's own tests of the interface pass, %s", (schedule) => {
  const [node, command] = simulator;
  const suite = 'numba.cuda.tests.cudapy.test_cuda_array_interface.TestCudaArrayInterface';
  const names = KERNEL_FREE.map((name) => `${suite}.${name}`);
  const { stderr } = spawnSync(
    node,
    [command, pythonOf('cuda'), '-m', 'unittest', '-v', ...names],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        CUDA_SIMULATOR_SCHEDULE: schedule,
        CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING: '1',
      },
    },
  );
  const passed = [...stderr.matchAll(/^(test_\w+) .*\.\.\. ok$/gm)].map(([, name]) => name);
  expect(passed.sort(), stderr).toEqual(KERNEL_FREE);
  expect(stderr).toMatch(/^Ran 16 tests in .*\n\nOK\n$/m);
});
