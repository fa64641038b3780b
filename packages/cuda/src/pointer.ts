import type { PointerInfo } from '@array-interface/core/backend';
import { allocationOf } from './borrow.js';
import { driver } from './driver.js';

const UNKNOWN: PointerInfo = Object.freeze({
  memoryKind: 'unknown',
  device: null,
  allocation: null,
  hostAccessible: false,
});

/** What the driver knows about an address; see `CudaBackend.inspectPointer`. */
export function inspectPointer(pointer: bigint): PointerInfo {
  const known = driver().inspect(pointer);
  if (known === null) return UNKNOWN;
  return {
    memoryKind: known.memoryKind,
    device: known.device < 0 ? null : known.device,
    allocation: allocationOf(pointer, known),
    hostAccessible: known.hostPointer !== 0n,
  };
}
