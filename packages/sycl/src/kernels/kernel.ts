import {
  type Kernel,
  type KernelHandle,
  type Launch,
  type LaunchLimits,
  readBytes,
  readCode,
  type Signature,
} from '@array-interface/core/backend';
import { runtime } from '../driver/runtime.js';
import type { SyclContext } from '../work/context.js';
import { checkParameters } from './check-parameters.js';
import { checkSpirv } from './check-spirv.js';

/** The runtime counts the items of a launch in an int. */
const MOST_ITEMS = 0x7fff0000;
/** The limits of one launch. */
export const LAUNCH_LIMITS: LaunchLimits = {
  items: MOST_ITEMS,
  groups: [MOST_ITEMS, MOST_ITEMS, MOST_ITEMS],
};

/** Starts to build a kernel for a device in a context. Throws ERR_KERNEL. */
export function loadKernel(
  kernel: Kernel,
  { types }: Signature,
  { handle }: SyclContext,
): KernelHandle {
  const code = readCode(kernel, 'sycl', ['spirv']);
  // A copy, since the bytes may be part of a larger buffer.
  const spirv = new Uint8Array(readBytes(code, 'sycl'));
  checkSpirv(spirv);
  checkParameters(spirv, code.name, types);
  return runtime().loadKernel(handle, spirv, code.name, Uint8Array.from(types));
}

/**
 * Returns the shape of a launch: the items along each axis, then the items of a group along each
 * axis.
 */
export function launchShape({ range, group }: Launch): Uint8Array {
  const shape = new Uint32Array(2 * range.length);
  range.forEach((items, axis) => {
    const size = group[axis] as number;
    shape[axis] = Math.ceil(items / size) * size;
    shape[range.length + axis] = size;
  });
  return new Uint8Array(shape.buffer);
}
