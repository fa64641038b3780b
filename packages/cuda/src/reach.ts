import { ArrayInterfaceError } from '@array-interface/core';
import type { CudaMemory } from './memory.js';
import type { Stream } from './stream.js';

/** Throws ERR_NOT_ACCESSIBLE unless work on the stream reaches the memory; enables peer access. */
export function checkReach(stream: Stream, memory: CudaMemory): void {
  if (memory.memoryKind !== 'device' || stream.reaches(memory.device)) return;
  throw new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    null,
    `expected memory that device ${stream.device} reaches, got memory of device ${memory.device}, ` +
      'of which it is no peer; copy through an array with memoryKind host',
  );
}
