import type { CopyPlan, Staging } from '@array-interface/core/backend';
import { addon } from '../addon.js';
import type { CudaMemory } from './memory.js';

/** Pinned memory through which JavaScript memory is copied to and from the device. */
export class PinnedStaging implements Staging {
  readonly memory: CudaMemory;

  constructor(memory: CudaMemory) {
    this.memory = memory;
  }

  get pointer(): bigint {
    return this.memory.pointer;
  }

  read(plan: CopyPlan, bytes: Uint8Array): void {
    addon().read(this.memory.native, plan, bytes);
  }

  write(plan: CopyPlan, bytes: Uint8Array): void {
    addon().write(this.memory.native, plan, bytes);
  }
}
