import {
  type DeviceCode,
  type GroupLimits,
  type Kernel,
  type KernelHandle,
  type Launch,
  type LaunchLimits,
  readBytes,
  readCode,
  type Signature,
} from '@array-interface/core/backend';
import { runtime } from '../driver/runtime.js';
import { checkParameters } from './check-parameters.js';
import { checkSpirv } from './check-spirv.js';
import { requiredGroup } from './required-group.js';

/** The runtime counts the items of a launch in an int. */
const MOST_ITEMS = 0x7fff0000;
/** The limits of one launch. */
export const LAUNCH_LIMITS: LaunchLimits = {
  items: MOST_ITEMS,
  groups: [MOST_ITEMS, MOST_ITEMS, MOST_ITEMS],
};

/** Reads and checks the code. Throws ERR_KERNEL. */
export function readKernel(kernel: Kernel, { types }: Signature): DeviceCode {
  const read = readCode(kernel, 'sycl', ['spirv']);
  const { name } = read;
  // A copy, since the bytes may be part of a larger buffer.
  const code = new Uint8Array(readBytes(read, 'sycl'));
  checkSpirv(code);
  checkParameters(code, name, types);
  return { code, name, group: requiredGroup(code, name) };
}

/**
 * Queries the limits of a group of a built kernel. They are checked in advance for two reasons:
 * Intel's runtime for CPUs crashes if bytes of local memory do not fit into 32 bits, and a launch
 * that fails waits for all work of its queue.
 */
export function kernelLimits(kernel: KernelHandle): GroupLimits {
  const [items, localBytes] = runtime().kernelLimits(kernel);
  return { items, axes: [items, items, items], localBytes };
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
