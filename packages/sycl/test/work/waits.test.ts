import { expect, test } from 'vitest';
import { runProgram } from '../support/program.js';

// On a busy machine it takes several times as many copies.
test('a thousand pending waits use no thread each, and delay nothing', {
  timeout: 600_000,
}, async () => {
  const program = `import { readdirSync } from 'node:fs';
    import { stat } from 'node:fs/promises';
    const threads = () => readdirSync('/proc/self/task').length;
    const queue = sycl.createQueue();
    const square = await sycl.array(new Float32Array(4096 * 4096), { queue });
    const target = sycl.empty([4096, 4096], 'float32', { queue });
    const turned = sycl.asArray({ __sycl_usm_array_interface__: {
      ...square.__sycl_usm_array_interface__, shape: [4096, 4096], strides: [1, 4096] } });
    await sycl.copy(target, turned, { queue }); // builds the kernels, starts all threads
    await queue.synchronize();
    await stat('.');
    const before = threads();
    const held = process.getActiveResourcesInfo().length;
    async function counted(copies) {
      for (let i = 0; i < copies; i++) await sycl.copy(target, turned, { queue });
      let ended = 0;
      const waits = Array.from({ length: 1000 }, () => queue.synchronize().then(() => ended++));
      const counts = [threads() - before, process.getActiveResourcesInfo().length - held];
      await stat('.'); // on libuv's pool
      const pending = 1000 - ended;
      await Promise.all(waits);
      // On a busy machine this thread may look when the work has ended: then there was too little.
      if (pending < 1000 && copies < 1000) return counted(2 * copies);
      return { threads: counts[0], resources: counts[1], pending, ended };
    }
    console.log(JSON.stringify(await counted(50)));`;
  const { status, stdout, stderr } = await runProgram(program);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { threads, resources, pending, ended } = JSON.parse(stdout);
  expect(threads).toBeLessThanOrEqual(1);
  expect(resources).toBeLessThanOrEqual(1);
  expect(pending).toBe(1000);
  expect(ended).toBe(1000);
});
