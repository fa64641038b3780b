import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { Python, pythonOf, simulator } from '../support/python.js';

const peer = new Python('numba_waits', [...simulator, pythonOf('cuda')]);
afterAll(() => peer[Symbol.asyncDispose]());

/** What a program of Numba writes, errors included. */
function written(program: string): string {
  const [node, command] = simulator;
  const env = { ...process.env, CUDA_SIMULATOR_LEAKS: '1' };
  const run = [command, 'sh', '-c', '"$0" -c "$1" 2>&1', pythonOf('cuda'), program];
  return spawnSync(node, run, { encoding: 'utf8', env }).stdout;
}

test('a missing wait gives a wrong result, every time', async () => {
  expect(await peer.call('waited', true)).toEqual([7, 7, 7, 7]);
  expect(await peer.call('waited', false)).toEqual([0, 0, 0, 0]);
}, 120_000);

test('an access past the end says the kernel, the thread and by how much', () => {
  const text = written(`
import numpy
from numba import cuda

@cuda.jit
def fill(x):
    x[128] = 7

fill[1, 1](cuda.to_device(numpy.zeros(128, "i4")))
cuda.synchronize()
`);
  expect(text).toMatch(/kernel '\w*fill\w*', thread \(0, 0, 0\)/);
  expect(text).toContain('4 bytes past the end of 512 bytes of device memory');
  expect(text).toContain('CUDA_ERROR_ILLEGAL_ADDRESS');
}, 120_000);

test('what is not freed is listed at exit', () => {
  const text = written('from numba import cuda; kept = cuda.device_array(77, "u1")');
  expect(text).toMatch(/left: 77 bytes of device memory at 0x/);
}, 120_000);
