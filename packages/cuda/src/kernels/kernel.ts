import {
  type DeviceCode,
  type GroupLimits,
  type Kernel,
  type KernelHandle,
  type Launch,
  type LaunchLimits,
  readBytes,
  readCode,
} from '@array-interface/core/backend';
import { libcuda } from '../find-driver.js';
import { checkCubin } from './check-cubin.js';
import { requiredGroup } from './required-group.js';

/** The driver's limits; `groups` along x, y and z. */
export const LAUNCH_LIMITS: LaunchLimits = {
  items: Number.POSITIVE_INFINITY,
  groups: [2 ** 31 - 1, 65535, 65535],
};

/** The shape of the current launch. The addon reads it before the call returns. */
const shape = new Uint32Array(7);
const shapeBytes = new Uint8Array(shape.buffer);

/** Reads the code as the driver takes it: text ends with a zero byte. Throws ERR_KERNEL. */
export function readKernel(kernel: Kernel): DeviceCode {
  const read = readCode(kernel, 'cuda', ['ptx', 'cubin', 'fatbin']);
  const { kind, value, name } = read;
  const isText = kind === 'ptx' && typeof value === 'string';
  const bytes = isText ? new TextEncoder().encode(value) : readBytes(read, 'cuda');
  const code = new Uint8Array(bytes.byteLength + 1);
  code.set(bytes);
  if (kind === 'cubin') checkCubin(code.subarray(0, -1));
  if (kind !== 'ptx') return { code, name };
  const text = isText ? value : new TextDecoder('latin1').decode(bytes);
  return { code, name, group: requiredGroup(text, name) };
}

/** Queries the limits of a group of a built kernel, along x, y and z. */
export function kernelLimits(kernel: KernelHandle): GroupLimits {
  const [items, x, y, z, localBytes] = libcuda().kernelLimits(kernel);
  return { items, axes: [x, y, z], localBytes };
}

/**
 * Returns the shape of a launch: groups, then items of a group, along x, y and z, then the bytes of
 * dynamic shared memory.
 */
export function launchShape({ range, group, localBytes }: Launch): Uint8Array {
  shape.set([0, 1, 1, 0, 1, 1, localBytes]);
  range.forEach((items, axis) => {
    const dimension = range.length - 1 - axis; // x is the fastest dimension
    const size = group[axis] as number;
    shape[dimension] = Math.ceil(items / size);
    shape[3 + dimension] = size;
  });
  return shapeBytes;
}
