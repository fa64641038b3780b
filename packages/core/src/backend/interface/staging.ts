import type { Memory } from './memory.js';
import type { CopyPlan } from '../../plan/plan-copy.js';

/** Memory that both the backend's queues and this process reach; holds one dense array. */
export interface Staging {
  /** What both sides reach. */
  readonly memory: Memory;
  /** The address that the backend's queues use. */
  readonly pointer: bigint;
  /** Copies JavaScript memory in, at once. `plan` counts from the first byte of each side. */
  read(plan: CopyPlan, bytes: Uint8Array): void;
  /** Copies out into JavaScript memory, at once. `plan` counts from the first byte of each side. */
  write(plan: CopyPlan, bytes: Uint8Array): void;
}
