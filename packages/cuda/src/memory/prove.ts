import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import type { Allocation } from '@array-interface/core/backend';
import type { CudaMemoryKind, KnownPointer } from '../addon.js';
import { libcuda } from '../find-driver.js';
import { hostOffsetOf } from './allocate.js';

/** What the driver reports about a producer's memory. */
export interface Proof {
  readonly device: number;
  readonly memoryKind: CudaMemoryKind;
  /** Offset from the producer's addresses to those for kernels. 0n except for mapped memory. */
  readonly shift: bigint;
  /**
   * Offset from the producer's addresses to those for this process. Null if this process cannot
   * access the memory.
   */
  readonly hostOffset: bigint | null;
  /**
   * The range that is known to exist, in the producer's addresses. Null if the driver does not
   * report it.
   */
  readonly allocation: Allocation | null;
  /**
   * Whether it belongs to a context. Peers can access memory of a context, but not memory of a
   * pool.
   */
  readonly hasContext: boolean;
  /** Whether it is in a live block of this library. */
  readonly isOurs: boolean;
}

/** An array without elements touches nothing, wherever it claims to lie. */
const NOTHING: Proof = {
  device: 0,
  memoryKind: 'device',
  shift: 0n,
  hostOffset: null,
  allocation: null,
  hasContext: true,
  isOurs: false,
};

/**
 * Checks that the driver knows an array's memory and that kernels can access it. Touches no memory.
 * Throws ERR_POINTER_UNKNOWN, ERR_NOT_ACCESSIBLE with `path`.
 */
export function prove(array: ArrayDescriptor, path: string): Proof {
  if (array.buffer !== null) {
    throw new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      path,
      'expected CUDA memory, got JavaScript memory, which no device can access; copy it with array()',
    );
  }
  const { pointer } = array;
  if (array.size === 0) return NOTHING;
  const known = libcuda().queryPointerInItsContext(pointer);
  if (known === null) {
    throw new ArrayInterfaceError(
      'ERR_POINTER_UNKNOWN',
      path,
      `expected an address that the CUDA driver knows, got ${hex(pointer)}; an address is valid only in its ` +
        'own process: there, import it with the backend that allocated it; to another process, send ' +
        'the elements or a ticket of cuda.share()',
    );
  }
  if (known.isGivenUp) throw givenUp(pointer, path);
  const device = Math.max(0, known.device);
  if (!known.isReached) {
    throw new ArrayInterfaceError(
      'ERR_NOT_ACCESSIBLE',
      path,
      `expected memory of the primary context of device ${device}, got ${hex(pointer)} of another; ` +
        'have its producer use the primary context (PyCUDA: pycuda.autoprimaryctx)',
    );
  }
  const { memoryKind, hostPointer } = known;
  return {
    device,
    memoryKind,
    shift: memoryKind === 'host' ? mapping(pointer, known, path) : 0n,
    hostOffset: hostPointer === 0n ? null : hostOffsetOf(memoryKind, device, hostPointer - pointer),
    allocation: allocationOf(pointer, known),
    hasContext: known.context !== 0n && !known.isPool,
    isOurs: known.isOurs,
  };
}

/**
 * Returns the range around an address, in the address space of `pointer`. Null if the driver does
 * not report it.
 */
export function allocationOf(pointer: bigint, known: KnownPointer): Allocation | null {
  const { rangeStart, rangeSize, devicePointer } = known;
  if (rangeSize === 0n) return null;
  const holds = (address: bigint) => address >= rangeStart && address < rangeStart + rangeSize;
  const byteLength = Number(rangeSize);
  if (holds(pointer)) return { pointer: rangeStart, byteLength };
  if (!holds(devicePointer)) return null;
  return { pointer: rangeStart + pointer - devicePointer, byteLength };
}

/**
 * Freed memory of this library is cached for a while, so the driver still knows it; that proves
 * nothing.
 */
function givenUp(pointer: bigint, path: string): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    path,
    `expected live memory, got ${hex(pointer)}, whose owner was disposed; keep the array that ` +
      'the interface dict was read from',
  );
}

/**
 * Returns the offset from the producer's address to the address for kernels
 * (CU_POINTER_ATTRIBUTE_DEVICE_POINTER).
 */
function mapping(pointer: bigint, { device, devicePointer }: KnownPointer, path: string): bigint {
  if (devicePointer !== 0n) return devicePointer - pointer;
  throw new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    path,
    `expected host memory that device ${device} can access, got ${hex(pointer)}; allocate it portable ` +
      'and mapped, or copy it with array()',
  );
}

/** Formats an address for error messages. */
function hex(address: bigint): string {
  return `0x${address.toString(16)}`;
}
