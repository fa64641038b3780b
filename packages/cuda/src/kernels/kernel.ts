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
import { libcuda } from '../find-driver.js';
import type { CudaMemory } from '../memory/memory.js';
import type { Stream } from '../work/stream.js';
import { checkCubin } from './check-cubin.js';

/** The driver's limits; `groups` along x, y and z. */
export const LAUNCH_LIMITS: LaunchLimits = {
  items: Number.POSITIVE_INFINITY,
  groups: [2 ** 31 - 1, 65535, 65535],
};

/** Items of a group if the launch names no group: a few warps, which suits every device. */
export const USUAL_GROUP = 256;

/** The shape of the current launch. The addon reads it before the call returns. */
const shape = new Uint32Array(7);
const shapeBytes = new Uint8Array(shape.buffer);

const built = new BuiltKernels<number, KernelHandle>();

/**
 * Builds a kernel in the primary context of a stream's device. Throws ERR_KERNEL, or rejects with
 * it.
 */
export function buildKernel(
  kernel: Kernel,
  signature: Signature,
  stream: Stream,
): KernelHandle | Promise<KernelHandle> {
  const { device } = stream;
  return built.get(
    kernel,
    device,
    () => {
      const { image, name } = readImage(kernel);
      return libcuda().loadKernel(device, image, name, Uint8Array.from(signature.types));
    },
    (handle) => libcuda().kernelLoaded(handle),
  );
}

const limitsOf = new WeakMap<KernelHandle, GroupLimits>();

/** Returns the limits of a built kernel's groups. Queries the driver once per kernel. */
export function groupLimits(kernel: KernelHandle): GroupLimits {
  const known = limitsOf.get(kernel);
  if (known !== undefined) return known;
  const [items, x, y, z, localBytes] = libcuda().kernelLimits(kernel);
  const limits = { items, axes: [x, y, z], localBytes };
  limitsOf.set(kernel, limits);
  return limits;
}

/** Reads the code as the driver takes it: text ends with a zero byte. */
function readImage(kernel: Kernel): { readonly image: Uint8Array; readonly name: string } {
  const code = readCode(kernel, 'cuda', ['ptx', 'cubin', 'fatbin']);
  const { kind, value, name } = code;
  const isText = kind === 'ptx' && typeof value === 'string';
  const bytes = isText ? new TextEncoder().encode(value) : readBytes(code, 'cuda');
  const image = new Uint8Array(bytes.byteLength + 1);
  image.set(bytes);
  if (kind === 'cubin') checkCubin(image.subarray(0, -1));
  return { image, name };
}

/** Enqueues one launch. */
export function launchKernel(
  stream: Stream,
  kernel: KernelHandle,
  launch: Launch,
): void | Promise<void> {
  const { range, group, localBytes, values, uses } = launch;
  shape.set([0, 1, 1, 0, 1, 1, localBytes]);
  range.forEach((items, axis) => {
    const dimension = range.length - 1 - axis; // x is the fastest dimension
    const size = group[axis] as number;
    shape[dimension] = Math.ceil(items / size);
    shape[3 + dimension] = size;
  });
  const [written, read] = handlesOf(uses);
  return libcuda().launch(stream.native, kernel, shapeBytes, values, written, read);
}

/** Returns the memories that are written, and those that are only read. */
export function handlesOf(
  uses: readonly Use[],
): readonly [written: readonly MemoryHandle[], read: readonly MemoryHandle[]] {
  return splitUses(uses, (memory: CudaMemory) => memory.native);
}
