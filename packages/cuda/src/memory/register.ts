import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { type BackendIdentity, internals, memoryOf } from '@array-interface/core/backend';
import type { NativeBlock } from '../addon.js';
import { libcuda } from '../find-driver.js';
import { memoryOver } from './allocate.js';
import type { CudaMemory } from './memory.js';

/**
 * Registers host memory of JavaScript or another backend, which the device then accesses in place:
 * the bytes that the elements span. They are kept alive until the driver has unregistered them.
 * Throws ERR_MASK for a masked array, ERR_ARGUMENT for memory that could move, and
 * ERR_NOT_ACCESSIBLE for memory that this process cannot access. Throws ERR_CUDA if the driver
 * refuses it.
 */
export function register(
  backend: BackendIdentity,
  device: number,
  array: ArrayDescriptor,
): CudaMemory {
  assertUnmasked(array);
  const made = array.buffer === null ? registerRange(device, array) : registerBuffer(device, array);
  const facts = { origin: 'registered', device, memoryKind: 'host' } as const;
  return memoryOver(backend, made, made.byteLength, facts);
}

function assertUnmasked({ mask }: ArrayDescriptor): void {
  if (mask === null) return;
  throw new ArrayInterfaceError(
    'ERR_MASK',
    'array.mask',
    'expected an array without a mask, got a masked one; register its data and mask separately',
  );
}

/**
 * Refuses a buffer that is not shared: it could be transferred or resized while the device uses it.
 */
function registerBuffer(device: number, array: ArrayDescriptor): NativeBlock {
  const { buffer, pointer, nbytes } = array;
  if (buffer instanceof SharedArrayBuffer && nbytes > 0) {
    const [low, high] = array.extent;
    const bytes = new Uint8Array(buffer, Number(pointer) + low, high - low);
    return libcuda().register(device, bytes);
  }
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'array',
    'expected elements in a SharedArrayBuffer, which stays in place, got ' +
      `${nbytes === 0 ? 'none' : 'an ArrayBuffer, which may be transferred'}; ` +
      'copy it with cuda.array(source, { memoryKind: "host" })',
  );
}

/** Registers memory of another backend, which is kept alive while it is registered. */
function registerRange(device: number, array: ArrayDescriptor): NativeBlock {
  const memory = memoryOf(array.owner);
  internals(memory)?.assertLive('array');
  internals(memory)?.assertHolds(array, 'array');
  const [low, high] = array.extent;
  const seen = memory?.allocation && array.size > 0 ? internals(memory).onHost(array) : null;
  if (memory === null || seen === null) throw unreached();
  internals(memory).retain();
  const letGo = () => internals(memory).release();
  return libcuda().registerRange(device, seen.pointer + BigInt(low), high - low, letGo);
}

function unreached(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    'array',
    "expected elements in another backend's memory that this process can access and that stays in " +
      'place, got other memory; copy them with cuda.array(source, { memoryKind: "host" })',
  );
}
