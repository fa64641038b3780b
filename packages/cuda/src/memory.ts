import { Memory } from '@array-interface/core/backend';
import type { CudaMemoryKind } from './addon.js';
import type { CudaBackend } from './backend.js';

/** Memory that the CUDA driver knows. */
export abstract class CudaMemory extends Memory {
  abstract override readonly backend: CudaBackend;
  /** The device that it lies on or was allocated for. */
  abstract readonly device: number;
  /** `shared` is managed memory, `host` pinned or registered. */
  abstract readonly memoryKind: CudaMemoryKind;
}
