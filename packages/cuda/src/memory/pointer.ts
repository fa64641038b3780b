import type { PointerInfo } from '@array-interface/core/backend';
import type { KnownPointer } from '../addon.js';
import { libcuda } from '../find-driver.js';
import { allocationOf } from './prove.js';

/**
 * The allocator behind a memory kind. The driver does not distinguish pinned from registered
 * memory, so `registered` is reported only for memory that this backend registered. Drivers before
 * 11.3 do not report pools, so `pool` is `device` there.
 */
export type CudaMemoryDetail = 'device' | 'pool' | 'managed' | 'pinned' | 'registered';

/** What the driver reports about an address. */
export interface CudaPointerInfo extends PointerInfo {
  /** The allocator of the memory. Null for memory that the driver does not know. */
  readonly detail: CudaMemoryDetail | null;
  /** The context that the memory belongs to. Null for memory of pools, which belongs to none. */
  readonly context: bigint | null;
  /** The address for kernels. Null if they cannot access the memory. */
  readonly devicePointer: bigint | null;
  /** The address for this process. Null if it cannot access the memory. */
  readonly hostPointer: bigint | null;
  /** Whether the driver can share the allocation with another process. */
  readonly ipcCapable: boolean;
  /**
   * Identifies the allocation, even among allocations that had the same address. Null for unknown
   * memory.
   */
  readonly bufferId: bigint | null;
}

const UNKNOWN: CudaPointerInfo = Object.freeze({
  memoryKind: 'unknown',
  detail: null,
  device: null,
  context: null,
  allocation: null,
  devicePointer: null,
  hostPointer: null,
  hostAccessible: false,
  ipcCapable: false,
  bufferId: null,
});

/** Implements `CudaBackend.inspectPointer`. */
export function inspectPointer(pointer: bigint): CudaPointerInfo {
  const known = libcuda().queryPointer(pointer);
  if (known === null) return UNKNOWN;
  return {
    memoryKind: known.memoryKind,
    detail: detailOf(known),
    device: known.device < 0 ? null : known.device,
    context: orNull(known.context),
    allocation: allocationOf(pointer, known),
    devicePointer: orNull(known.devicePointer),
    hostPointer: orNull(known.hostPointer),
    hostAccessible: known.hostPointer !== 0n,
    ipcCapable: known.isIpcCapable,
    bufferId: known.bufferId,
  };
}

function detailOf(known: KnownPointer): CudaMemoryDetail {
  if (known.memoryKind === 'shared') return 'managed';
  if (known.memoryKind === 'host') return known.isRegistered ? 'registered' : 'pinned';
  return known.isPool ? 'pool' : 'device';
}

function orNull(address: bigint): bigint | null {
  return address === 0n ? null : address;
}
