import type { CopyPlan, Staging } from '@array-interface/core/backend';
import { runtime } from '../driver/runtime.js';
import type { SyclMemory } from './memory.js';

/** USM host memory, through which JavaScript memory is copied to and from the device. */
export class SyclStaging implements Staging {
  readonly memory: SyclMemory;

  constructor(memory: SyclMemory) {
    this.memory = memory;
  }

  get pointer(): bigint {
    return this.memory.pointer;
  }

  read(plan: CopyPlan, bytes: Uint8Array): void {
    runtime().read(this.memory.native, plan, bytes);
  }

  write(plan: CopyPlan, bytes: Uint8Array): void {
    runtime().write(this.memory.native, plan, bytes);
  }
}
