import type { Allocation, Memory, MemoryKind } from '@array-interface/core/backend';
import type { SyclBackend } from './backend.js';
import type { SyclContext } from './context.js';
import { SyclMemory } from './memory.js';

/**
 * Memory of this process that is no USM, on a device that reaches all of it (SYCL 2020, 4.8.3, aspect
 * `usm_system_allocations`). Its own backend keeps it.
 */
export class GuestMemory extends SyclMemory {
  readonly backend: SyclBackend;
  readonly context: SyclContext;
  readonly memoryKind: MemoryKind = 'pageable';
  readonly pointer: bigint;
  readonly allocation: Allocation | null;
  /** @internal */
  readonly hold = null;

  constructor(backend: SyclBackend, context: SyclContext, pointer: bigint, memory: Memory) {
    super();
    this.backend = backend;
    this.context = context;
    this.pointer = pointer;
    this.allocation = memory.allocation;
  }

  protected free(): void {}
}
