import type { PointerInfo } from '@array-interface/core/backend';
import type { KnownPointer } from '../addon.js';
import { libcuda } from '../find-driver.js';
import { allocationOf } from './prove.js';

/**
 * What stands behind a memory kind. The driver does not tell pinned from registered memory, so
 * `registered` is only what this backend registered. Drivers before 11.3 do not tell `pool`.
 */
export type CudaMemoryDetail = 'device' | 'pool' | 'managed' | 'pinned' | 'registered';

/** What the driver answers about an address. */
export interface CudaPointerInfo extends PointerInfo {
  /** Null for memory that the driver does not know. */
  readonly detail: CudaMemoryDetail | null;
  /** The context that it belongs to. Null for memory of pools, which belongs to none. */
  readonly context: bigint | null;
  /** The address that kernels use. Null: they do not reach it. */
  readonly devicePointer: bigint | null;
  /** The address that this process uses. Null: it does not reach it. */
  readonly hostPointer: bigint | null;
  /** Whether the driver would share the allocation with another process. */
  readonly ipcCapable: boolean;
  /** Tells allocations apart, also those that had the same address. Null for unknown memory. */
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

/** What the driver knows about an address; see `CudaBackend.inspectPointer`. */
export function inspectPointer(pointer: bigint): CudaPointerInfo {
  const known = libcuda().inspect(pointer);
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
