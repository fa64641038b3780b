import { ArrayInterfaceError } from '@array-interface/core';
import { AllocatedMemory } from './allocated-memory.js';
import type { CudaBackend } from './backend.js';
import { driver } from './driver.js';
import type { CudaMemoryKind } from './native.js';
import type { CudaEmptyOptions } from './options.js';
import { MemoryPool } from './pool.js';
import { PoolMemory } from './pool-memory.js';
import type { Stream } from './stream.js';
import { readSync } from './sync.js';

const KINDS: readonly CudaMemoryKind[] = ['device', 'shared', 'host'];

/**
 * New memory of a device that is there, of the kind and from the pool that the options name. Throws
 * ERR_ARGUMENT, ERR_OUT_OF_MEMORY, ERR_CUDA.
 */
export function allocate(
  backend: CudaBackend,
  device: number,
  byteLength: number,
  home: Stream | null,
  options: CudaEmptyOptions,
): AllocatedMemory {
  const memoryKind = checkKind(options.memoryKind ?? 'device');
  const exportMode = readSync('exportStream', options.exportStream ?? 'wait');
  const memory = options.pool === undefined ? block() : fromPool(options.pool);
  memory.exportMode = exportMode;
  return memory;

  function block(): AllocatedMemory {
    const made = driver().allocate(device, memoryKind, byteLength);
    return new AllocatedMemory(backend, made, { device, memoryKind, byteLength, home });
  }

  function fromPool(pool: MemoryPool): PoolMemory {
    if (pool instanceof MemoryPool && pool.device === device && memoryKind === 'device') {
      return new PoolMemory(backend, pool, byteLength, home ?? backend.streamOf(device));
    }
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'pool',
      `expected a pool of device ${device} for device memory, got ${memoryKind} memory or another ` +
        'pool; make one with cuda.createPool()',
    );
  }
}

function checkKind(kind: string): CudaMemoryKind {
  const known = KINDS.find((one) => one === kind);
  if (known !== undefined) return known;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'memoryKind',
    `expected device, shared or host, got ${kind}; the CUDA driver allocates no other memory`,
  );
}
