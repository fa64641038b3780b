import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import { chunksOf, stagedDType } from '../../plan/chunks.js';
import { newBuffer } from '../../plan/copy-buffers.js';
import type { Side } from '../access/acquire.js';
import { backendOf } from '../interface/array.js';
import type { Memory } from '../interface/memory.js';
import type { CopyOptions } from '../interface/options.js';
import type { CopyStrategy, Worker } from './workers.js';

const CHUNK_BYTES = 4 * 1024 * 1024;
const WORKERS = 2;

/**
 * The strategy between backends that cannot access each other's memory: each copies from or to
 * JavaScript memory, as every backend can. Both arrays are owned by memory that the caller keeps
 * alive.
 */
export function throughJavaScript(
  { array: to, memory: target }: Side,
  { array: from, memory: origin }: Side,
  optionsFor: (memory: Memory) => CopyOptions,
  chunkBytes: number = CHUNK_BYTES,
): CopyStrategy {
  const staged = stagedDType(to, from);
  const elements = Math.min(to.size, Math.max(1, Math.floor(chunkBytes / staged.itemsize)));
  const count = Math.min(WORKERS, Math.ceil(to.size / elements));
  const makeWorker = (): Worker => {
    const buffer = newBuffer(elements * staged.itemsize);
    return async (into: ArrayDescriptor, outOf: ArrayDescriptor) => {
      const layout = relativeLayout(into.shape, staged, null, buffer);
      await backendOf(origin).copy(layout, outOf, optionsFor(origin));
      try {
        await backendOf(target).copy(into, layout, optionsFor(target));
      } catch (error) {
        await target.synchronize().catch(() => {}); // a part may have been enqueued
        throw error;
      }
      await target.synchronize();
    };
  };
  const workers = Array.from({ length: count }, makeWorker);
  return { chunks: chunksOf(to, from, elements * to.itemsize), workers, end() {} };
}
