import type { ArrayDescriptor } from '../descriptor.js';
import type { CopyOptions } from './backend.js';
import type { Lane } from './lanes.js';
import { type Memory, memoryOf } from './memory.js';
import { newBuffer } from './new-buffer.js';
import { parts } from './parts.js';
import { stagedDType } from './pipeline.js';
import { relativeLayout } from './relative-layout.js';
import type { Way } from './way.js';

const CHUNK_BYTES = 4 * 1024 * 1024;
const LANES = 2;

/**
 * The way of a copy between backends that reach nothing of one another: each copies to or from
 * JavaScript memory, as it can for anybody. Both arrays are owned by their memories.
 */
export function throughBuffers(
  to: ArrayDescriptor,
  from: ArrayDescriptor,
  optionsFor: (memory: Memory) => CopyOptions,
  chunkBytes: number = CHUNK_BYTES,
): Way {
  const staged = stagedDType(to, from);
  const elements = Math.min(to.size, Math.max(1, Math.floor(chunkBytes / staged.itemsize)));
  const count = Math.min(LANES, Math.ceil(to.size / elements));
  const [target, origin] = [memoryOf(to.owner) as Memory, memoryOf(from.owner) as Memory];
  const makeLane = (): Lane => {
    const buffer = newBuffer(elements * staged.itemsize);
    return async (into, outOf) => {
      const layout = relativeLayout(into.shape, staged, null, buffer);
      await origin.backend.copy(layout, outOf, optionsFor(origin));
      try {
        await target.backend.copy(into, layout, optionsFor(target));
      } catch (error) {
        await target.synchronize().catch(() => {}); // a part of it may be enqueued
        throw error;
      }
      await target.synchronize();
    };
  };
  const lanes = Array.from({ length: count }, makeLane);
  return { pairs: parts(to, from, elements * to.itemsize), lanes, end() {} };
}
