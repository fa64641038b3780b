import { sycl } from '@array-interface/sycl';
import { descriptor } from '../layouts/layouts.mjs';

/** Two blocks of device memory that were written, so that all their pages exist. */
export async function writtenBlocks(byteLength) {
  const blocks = [sycl.empty([byteLength], 'uint8'), sycl.empty([byteLength], 'uint8')];
  for (const block of blocks) await sycl.fill(block, 1);
  return blocks;
}

/** Returns a function that copies a layout between two blocks and waits; its kernels are built. */
export async function builtCopy(queue, blocks, layout) {
  const [to, from] = layout.map((side, index) => descriptor(blocks[index], side));
  const copy = async () => {
    await sycl.copy(to, from, { queue, casting: 'unsafe' });
    queue.synchronizeSync();
  };
  await copy();
  await sycl.whenKernelsReady();
  return copy;
}
