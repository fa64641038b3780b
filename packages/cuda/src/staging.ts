import { ArrayInterfaceError, type Buffer } from '@array-interface/core';
import type { CopyPlan, Staging } from '@array-interface/core/backend';
import { addon } from './addon.js';
import type { AllocatedMemory } from './allocated-memory.js';

/** Pinned memory, through which JavaScript memory goes to and from the device. */
export class PinnedStaging implements Staging {
  readonly memory: AllocatedMemory;

  constructor(memory: AllocatedMemory) {
    this.memory = memory;
  }

  get pointer(): bigint {
    return this.memory.pointer;
  }

  /** Throws ERR_OUT_OF_BOUNDS for a buffer that is detached or too short. */
  read(plan: CopyPlan, buffer: Buffer): void {
    addon().pack(this.memory.handle, plan, bytesOf(buffer));
  }

  /** Throws ERR_OUT_OF_BOUNDS for a buffer that is detached or too short. */
  write(plan: CopyPlan, buffer: Buffer): void {
    addon().unpack(this.memory.handle, plan, bytesOf(buffer));
  }
}

function bytesOf(buffer: Buffer): Uint8Array {
  try {
    return new Uint8Array(buffer);
  } catch (cause) {
    throw new ArrayInterfaceError(
      'ERR_OUT_OF_BOUNDS',
      'buffer',
      'expected a buffer with its bytes, got one that was detached; keep it until the copy settles',
      { cause },
    );
  }
}
