import type { ArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import type { BackendIdentity, Memory } from './memory.js';

/** Throws ERR_NOT_ACCESSIBLE for memory of another backend. */
export function assertOwn(backend: BackendIdentity, memory: Memory, path: string): void {
  if (memory.backend !== backend) throw notOwn(backend, memory, path);
}

/** The error for memory of another backend. */
export function notOwn(
  backend: BackendIdentity,
  { memoryKind, backend: other }: Memory,
  path: string,
): ArrayInterfaceError {
  return mismatch(
    'ERR_NOT_ACCESSIBLE',
    path,
    `memory of the ${backend.name} backend`,
    `an array of ${other.name}, in ${memoryKind} memory`,
    `copy it with ${backend.name}.array()`,
  );
}
