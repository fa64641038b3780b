import type { CopyPlan, Staging } from '@array-interface/core/backend';
import type { AllocatedMemory } from './memory.js';
import { runtime } from './runtime.js';

/** USM host memory, through which JavaScript memory goes to and from the device. */
export class SyclStaging implements Staging {
  readonly memory: AllocatedMemory;

  constructor(memory: AllocatedMemory) {
    this.memory = memory;
  }

  get pointer(): bigint {
    return this.memory.pointer;
  }

  read(plan: CopyPlan, bytes: Uint8Array): void {
    runtime().read(this.memory.hold, plan, bytes);
  }

  write(plan: CopyPlan, bytes: Uint8Array): void {
    runtime().write(this.memory.hold, plan, bytes);
  }
}
