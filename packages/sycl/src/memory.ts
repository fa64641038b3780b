import type { ArrayDescriptor } from '@array-interface/core';
import {
  type Allocation,
  type Event,
  Memory,
  type MemoryKind,
} from '@array-interface/core/backend';
import type { HoldHandle, UsmType } from './addon.js';
import type { SyclBackend } from './backend.js';
import type { SyclContext } from './context.js';
import { SyclEvent } from './event.js';
import type { SyclQueue } from './queue.js';
import { runtime } from './runtime.js';

/** The runtime's kinds of memory by its numbers. */
export const KINDS: readonly MemoryKind[] = ['unknown', 'device', 'shared', 'host'];

/** What every kind of access is aligned to, in bytes: a cache line. */
export const WIDEST = 64;

/** USM memory that one of our queues reaches. */
export abstract class SyclMemory extends Memory {
  abstract override readonly backend: SyclBackend;
  abstract readonly memoryKind: MemoryKind;
  /** Whose queues reach it. */
  abstract readonly context: SyclContext;
  /** Our interest in the block, null when it is none of ours. @internal */
  abstract readonly hold: HoldHandle | null;

  /** Index of the device in whose context the memory is. */
  get device(): number {
    return this.context.device;
  }

  override onHost(array: ArrayDescriptor): ArrayDescriptor | null {
    return this.memoryKind === 'shared' || this.memoryKind === 'host' ? array : null;
  }
}

/** A block of ours: given back in the background once its pending work has ended. */
export class AllocatedMemory extends SyclMemory {
  readonly backend: SyclBackend;
  readonly context: SyclContext;
  readonly memoryKind: MemoryKind;
  readonly pointer: bigint;
  readonly allocation: Allocation;
  /** @internal */
  readonly hold: HoldHandle;

  /** Allocates; the driver may take a moment. Throws ERR_OUT_OF_MEMORY. */
  constructor(
    backend: SyclBackend,
    context: SyclContext,
    type: UsmType,
    byteLength: number,
    home: SyclQueue | null,
    alignment: number = WIDEST,
  ) {
    const { hold, pointer } = runtime().allocate(context.handle, type, alignment, byteLength);
    super({ homeQueue: home });
    this.backend = backend;
    this.context = context;
    this.memoryKind = KINDS[type] as MemoryKind;
    this.pointer = pointer;
    this.allocation = Object.freeze({ pointer, byteLength });
    this.hold = hold;
  }

  protected free(pending: readonly Event[]): void {
    endHold(this.hold, pending);
  }
}

/** Ends one interest in a block once `pending` was reached. Does not wait. */
export function endHold(hold: HoldHandle, pending: readonly Event[]): void {
  const events = pending.filter((event) => event instanceof SyclEvent);
  runtime().endHold(
    hold,
    events.map((event) => event.handle),
  );
}
