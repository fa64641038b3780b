import {
  type Kernel,
  type KernelHandle,
  type Launch,
  type LaunchLimits,
  readBytes,
  readCode,
  type Signature,
} from '@array-interface/core/backend';
import { libcuda } from '../find-driver.js';
import { checkCubin } from './check-cubin.js';

/** The driver's limits; `groups` along x, y and z. */
export const LAUNCH_LIMITS: LaunchLimits = {
  items: Number.POSITIVE_INFINITY,
  groups: [2 ** 31 - 1, 65535, 65535],
};

/** The shape of the current launch. The addon reads it before the call returns. */
const shape = new Uint32Array(7);
const shapeBytes = new Uint8Array(shape.buffer);

/** Starts to build a kernel in the primary context of a device. Throws ERR_KERNEL. */
export function loadKernel(kernel: Kernel, { types }: Signature, device: number): KernelHandle {
  const { image, name } = readImage(kernel);
  return libcuda().loadKernel(device, image, name, Uint8Array.from(types));
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
