import { host } from '@array-interface/host';
import { descriptor } from '../layouts/layouts.mjs';
import { perAwaitedCall, perCall } from '../runner/stopwatch.mjs';

/**
 * Returns functions that copy on the host within blocks of this many bytes, all of which were
 * written. `ours` copies a layout with the options of `copy`; `memcpy` copies a number of bytes. Each
 * takes the time of one of `calls`.
 */
export async function hostCopies(byteLength) {
  const blocks = [host.empty([byteLength], 'uint8'), host.empty([byteLength], 'uint8')];
  for (const block of blocks) await host.fill(block, 1);
  const plain = [new Uint8Array(byteLength).fill(1), new Uint8Array(byteLength).fill(2)];
  return {
    ours(layout, { calls = 1, ...options } = {}) {
      const [to, from] = layout.map((side, index) => descriptor(blocks[index], side));
      return () =>
        perAwaitedCall(calls, () => host.copy(to, from, { casting: 'unsafe', ...options }));
    },
    memcpy:
      (bytes, calls = 1) =>
      () =>
        perCall(calls, () => plain[0].set(plain[1].subarray(0, bytes))),
  };
}
