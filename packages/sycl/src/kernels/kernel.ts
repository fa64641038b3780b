import {
  BuiltKernels,
  type GroupLimits,
  type Kernel,
  type Launch,
  type LaunchLimits,
  readBytes,
  readCode,
  type Signature,
  splitUses,
  type Use,
} from '@array-interface/core/backend';
import type { KernelHandle, MemoryHandle } from '../addon.js';
import { runtime } from '../driver/runtime.js';
import type { SyclMemory } from '../memory/memory.js';
import type { SyclQueue } from '../work/queue.js';
import { checkParameters } from './check-parameters.js';
import { checkSpirv } from './check-spirv.js';

/** The runtime counts the items of a launch in an int. */
const MOST_ITEMS = 0x7fff0000;
/** The limits of one launch. */
export const LAUNCH_LIMITS: LaunchLimits = {
  items: MOST_ITEMS,
  groups: [MOST_ITEMS, MOST_ITEMS, MOST_ITEMS],
};

/** Items of a group for a launch that sets none; most devices support it. */
export const USUAL_GROUP = 256;

const built = new BuiltKernels<number, KernelHandle>();

/** Builds a kernel for the context of a queue. Throws ERR_KERNEL, or rejects with it. */
export function buildKernel(
  kernel: Kernel,
  signature: Signature,
  { context }: SyclQueue,
): KernelHandle | Promise<KernelHandle> {
  return built.get(
    kernel,
    context.id,
    () => {
      const code = readCode(kernel, 'sycl', ['spirv']);
      // A copy, since the bytes may be part of a larger buffer.
      const spirv = new Uint8Array(readBytes(code, 'sycl'));
      checkSpirv(spirv);
      checkParameters(spirv, code.name, signature.types);
      return runtime().loadKernel(
        context.handle,
        spirv,
        code.name,
        Uint8Array.from(signature.types),
      );
    },
    (handle) => runtime().kernelLoaded(handle),
  );
}

const limitsOf = new WeakMap<KernelHandle, GroupLimits>();

/**
 * The limits of a group of a built kernel, queried once. They are checked in advance for two
 * reasons: Intel's runtime for CPUs crashes if bytes of local memory do not fit into 32 bits, and a
 * launch that fails waits for all work of its queue.
 */
export function groupLimits(kernel: KernelHandle): GroupLimits {
  const known = limitsOf.get(kernel);
  if (known !== undefined) return known;
  const [items, localBytes] = runtime().kernelLimits(kernel);
  const limits = { items, axes: [items, items, items], localBytes };
  limitsOf.set(kernel, limits);
  return limits;
}

/** Enqueues one launch. */
export function launchKernel(queue: SyclQueue, kernel: KernelHandle, launch: Launch): void {
  const { range, group, values, uses } = launch;
  const shape = new Uint32Array(2 * range.length);
  range.forEach((items, axis) => {
    const size = group[axis] as number;
    shape[axis] = Math.ceil(items / size) * size;
    shape[range.length + axis] = size;
  });
  const bytes = new Uint8Array(shape.buffer);
  const [written, read] = handlesOf(uses);
  runtime().launch(queue.native, kernel, bytes, values, written, read);
}

/** Splits the uses into the memories that are written and those that are only read. */
export function handlesOf(
  uses: readonly Use[],
): readonly [written: readonly MemoryHandle[], read: readonly MemoryHandle[]] {
  return splitUses(uses, (memory: SyclMemory) => memory.native);
}
