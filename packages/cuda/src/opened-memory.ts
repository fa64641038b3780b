import type { Event, Queue } from '@array-interface/core/backend';
import { addon } from './addon.js';
import { AllocatedMemory } from './allocated-memory.js';
import type { CudaBackend } from './backend.js';
import type { CudaEvent } from './event.js';
import type { NativeMemory, TenancyHandle } from './native.js';
import { ownStream } from './stream.js';

/** What a ticket gave. */
export interface Opened {
  readonly made: NativeMemory;
  readonly tenancy: TenancyHandle;
  readonly ready: CudaEvent;
  readonly back: CudaEvent;
}

/**
 * Another process's memory. Our work starts after the sharer's up to then and that of the processes
 * that have it open; theirs that comes later waits for ours, and the sharer keeps the memory until
 * it has ended.
 */
export class OpenedMemory extends AllocatedMemory {
  readonly #opened: Opened;

  constructor(backend: CudaBackend, opened: Opened, device: number, byteLength: number) {
    super(backend, opened.made, { device, memoryKind: 'device', byteLength });
    this.#opened = opened;
  }

  /** @internal */
  override before(queue: Queue): void {
    super.before(queue);
    queue.wait(this.#opened.ready);
    queue.wait(this.#opened.back);
  }

  /** @internal */
  override after(queue: Queue, event?: Event): void {
    super.after(queue, event);
    const stream = this.backend.streamOn(this.device, ownStream(queue));
    addon().takeTurn(this.#opened.tenancy, this.#opened.back.handle, stream.native);
  }

  /** An interface dict of it names a stream: the sharer's work may be pending. @internal */
  override exportQueue(fallback: Queue | null = null): Queue | null {
    const exported = super.exportQueue(fallback ?? this.backend.streamOf(this.device)) as Queue;
    exported.wait(this.#opened.ready);
    exported.wait(this.#opened.back);
    return exported;
  }
}
