import { ArrayInterfaceError } from '@array-interface/core';
import type { CudaMemory } from './memory.js';
import type { Stream } from './stream.js';

/** Whether kernels on the stream reach the memory; enables peer access where there is some. */
export function reaches(stream: Stream, memory: CudaMemory): boolean {
  if (memory.memoryKind !== 'device' || memory.device === stream.device) return true;
  return memory.isReachedFrom(stream.device) ?? stream.reaches(memory.device);
}

/** Throws ERR_NOT_ACCESSIBLE for a stream of another context than the memory that we work on. */
export function checkPrimary(stream: Stream): void {
  if (stream.isPrimary) return;
  throw new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    'queue',
    `expected a stream of the primary context of device ${stream.device}, got one of another, ` +
      'which reaches no memory of ours; name another stream, which may wait for its events',
  );
}
