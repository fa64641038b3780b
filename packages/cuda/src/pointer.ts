import type { PointerInfo } from '@array-interface/core/backend';
import type { CudaBackend } from './backend.js';
import { allocationOf } from './borrow.js';
import { driver } from './driver.js';
import type { KnownPointer } from './native.js';
import { RegisteredMemory } from './registered-memory.js';

/**
 * What stands behind a memory kind. The driver does not tell pinned from registered memory:
 * `registered` is what this backend registered. `pool` is not told by drivers before 11.3.
 */
export type CudaMemoryDetail = 'device' | 'pool' | 'managed' | 'pinned' | 'registered';

/** What the driver answers about an address. */
export interface CudaPointerInfo extends PointerInfo {
  /** Null for memory that the driver does not know. */
  readonly detail: CudaMemoryDetail | null;
  /** The context that it belongs to; null for memory of pools, which belongs to none. */
  readonly context: bigint | null;
  /** As kernels reach it; null: not at all. */
  readonly devicePointer: bigint | null;
  /** As this process reaches it; null: not at all. */
  readonly hostPointer: bigint | null;
  /** Whether the driver would share its allocation with another process. */
  readonly ipcCapable: boolean;
  /** Tells allocations apart, also those that had the same address; null for unknown memory. */
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
export function inspectPointer(backend: CudaBackend, pointer: bigint): CudaPointerInfo {
  const known = driver().inspect(pointer);
  if (known === null) return UNKNOWN;
  const allocation = allocationOf(pointer, known);
  const isRegistered = backend.lenderOf(allocation) instanceof RegisteredMemory;
  return {
    memoryKind: known.memoryKind,
    detail: detailOf(known, isRegistered),
    device: known.device < 0 ? null : known.device,
    context: orNull(known.context),
    allocation,
    devicePointer: orNull(known.devicePointer),
    hostPointer: orNull(known.hostPointer),
    hostAccessible: known.hostPointer !== 0n,
    ipcCapable: known.isIpcCapable,
    bufferId: known.bufferId,
  };
}

function detailOf(known: KnownPointer, isRegistered: boolean): CudaMemoryDetail {
  if (known.memoryKind === 'shared') return 'managed';
  if (known.memoryKind === 'host') return isRegistered ? 'registered' : 'pinned';
  return known.isPool ? 'pool' : 'device';
}

function orNull(address: bigint): bigint | null {
  return address === 0n ? null : address;
}
