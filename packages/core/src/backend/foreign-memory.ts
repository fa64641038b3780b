import { mismatch } from '../errors/mismatch.js';
import type { BackendIdentity, Memory } from './memory.js';

/** Throws ERR_NOT_ACCESSIBLE for memory of another backend. */
export function assertOwn(backend: BackendIdentity, memory: Memory, path: string): void {
  if (memory.backend === backend) return;
  throw mismatch(
    'ERR_NOT_ACCESSIBLE',
    path,
    `memory of the ${backend.name} backend`,
    `memory of ${memory.backend.name}`,
    'copy it with array()',
  );
}
