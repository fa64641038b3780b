import { liveAllocations, sycl } from '@array-interface/sycl';
import { expect, test, vi } from 'vitest';
import { runProgram } from './program.js';

test('no block is left when all is disposed', async () => {
  for (let i = 0; i < 20; i++) {
    using queue = sycl.createQueue();
    using array = await sycl.array(new Float64Array(1000).fill(i));
    using view = array.flip();
    using copied = sycl.empty([1000], 'float64', { queue });
    await sycl.copy(copied, view, { queue });
    using borrowed = sycl.asArray({
      __sycl_usm_array_interface__: copied.__sycl_usm_array_interface__,
    });
    expect((await sycl.toTypedArray(borrowed))[999]).toBe(i);
  }
  await vi.waitFor(() => expect(liveAllocations()).toBe(0));
});

test('what an upload was staged in goes once its array sees that the work has ended', async () => {
  using array = await sycl.array(new Float64Array(1000));
  await array.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(1));
});

test('garbage collection gives back what nobody disposed, once its work has ended', async () => {
  const program = `
    async function drop(i) {
      const array = await sycl.array(new Float32Array(100_000).fill(i));
      const copied = sycl.empty([100_000], 'float32', { queue: sycl.createQueue() });
      sycl.copy(copied, array.flip());
      sycl.asArray({ __sycl_usm_array_interface__: copied.__sycl_usm_array_interface__ });
    }
    for (let i = 0; i < 50; i++) await drop(i);
    const before = liveAllocations();
    for (let i = 0; i < 200 && liveAllocations() > 0; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    console.log(before > 0, liveAllocations());`;
  const ended = await runProgram(program, { flags: ['--expose-gc'] });
  expect(ended).toEqual({ status: 0, stdout: 'true 0', stderr: '' });
});

test('an array keeps its memory as long as something leads to it', async () => {
  const program = `
    const view = (await sycl.array([[1, 2], [3, 4]])).slice([1]);
    const borrowed = sycl.asArray({ __sycl_usm_array_interface__:
      (await sycl.array([5, 6])).__sycl_usm_array_interface__ });
    for (let i = 0; i < 20; i++) { gc(); await new Promise((r) => setTimeout(r, 5)); }
    console.log([...await sycl.toTypedArray(view)].join(), [...await sycl.toTypedArray(borrowed)].join());`;
  const ended = await runProgram(program, { flags: ['--expose-gc'] });
  expect(ended).toEqual({ status: 0, stdout: '3,4 5,6', stderr: '' });
});
