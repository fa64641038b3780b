import { sycl } from '@array-interface/sycl';
import { descriptor } from '../layouts/layouts.mjs';
import { pythonPeers } from '../peers/peers.mjs';
import { nanoseconds } from '../runner/stopwatch.mjs';

/**
 * Copies on a SYCL device, within blocks of this many bytes, all of which were written. Returns the
 * peers, and the contenders for a layout and a number of bytes for memcpy.
 */
export function syclCopies(byteLength) {
  const peers = pythonPeers('sycl_copying', 'sycl', byteLength);
  let made = null;
  return {
    peers,
    async contenders(layout, memcpy) {
      made ??= { queue: sycl.createQueue(), blocks: await writtenBlocks(byteLength) };
      const copy = await builtCopy(made, layout);
      return {
        memcpy: peers.contender({ memcpy }),
        ours: () => nanoseconds(copy),
        dpnp: peers.contender({ copy: layout }),
      };
    },
  };
}

/** Two blocks of device memory that were written, so that all their pages exist. */
async function writtenBlocks(byteLength) {
  const blocks = [sycl.empty([byteLength], 'uint8'), sycl.empty([byteLength], 'uint8')];
  for (const block of blocks) await sycl.fill(block, 1);
  return blocks;
}

/** Returns a function that copies a layout between two blocks and waits; its kernels are built. */
async function builtCopy({ queue, blocks }, layout) {
  const [to, from] = layout.map((side, index) => descriptor(blocks[index], side));
  const copy = async () => {
    await sycl.copy(to, from, { queue, casting: 'unsafe' });
    queue.synchronizeSync();
  };
  await copy();
  await sycl.whenKernelsReady();
  return copy;
}
