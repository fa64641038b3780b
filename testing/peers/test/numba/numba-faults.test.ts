import { expect, test } from 'vitest';
import { nothingLeft, written } from '../support/python.js';

test('a missing wait gives a wrong result, every time', () => {
  const text = written(
    'cuda',
    `
import numpy
from numba import cuda

@cuda.jit
def fill(x):
    x[cuda.threadIdx.x] = 7

for waits in True, False:
    array = cuda.to_device(numpy.zeros(4, "i4"))
    cuda.synchronize()
    producer, consumer, event = cuda.stream(), cuda.stream(), cuda.event()
    fill[1, 4, producer](array)
    event.record(producer)
    if waits:
        event.wait(consumer)
    read = cuda.pinned_array(4, "i4")
    array.copy_to_host(read, stream=consumer)
    consumer.synchronize()
    print(waits, read.tolist())
`,
  );
  expect(text).toContain('True [7, 7, 7, 7]\nFalse [0, 0, 0, 0]\n');
}, 300_000);

test('an access past the end says the kernel, the thread and by how much', () => {
  const text = written(
    'cuda',
    `
import numpy
from numba import cuda

@cuda.jit
def fill(x):
    x[128] = 7

fill[1, 1](cuda.to_device(numpy.zeros(128, "i4")))
cuda.synchronize()
`,
  );
  expect(text).toMatch(/kernel '\w*fill\w*', thread \(0, 0, 0\)/);
  expect(text).toContain('4 bytes past the end of 512 bytes of device memory');
  expect(text).toContain('CUDA_ERROR_ILLEGAL_ADDRESS');
}, 300_000);

test('what is not freed is listed at exit, and nothing else', () => {
  const leaving = (freed: string) =>
    written(
      'cuda',
      `
from numba import cuda
kept = cuda.device_array(77, "u1")
${freed}
cuda.current_context().memory_manager.deallocations.clear()
`,
    );
  expect(leaving('')).toMatch(/left: 77 bytes of device memory at 0x.*\n.*leaks: 1 allocation,/);
  expect(leaving('del kept')).toBe(nothingLeft);
}, 300_000);
