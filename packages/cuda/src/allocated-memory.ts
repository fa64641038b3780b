import type { Allocation, Event, Queue } from '@array-interface/core/backend';
import { addon } from './addon.js';
import { afterCapture } from './after-capture.js';
import type { CudaBackend } from './backend.js';
import { CudaEvent } from './event.js';
import { CudaMemory } from './memory.js';
import type { AllocationHandle, CudaMemoryKind, NativeMemory } from './native.js';
import type { MemoryShare } from './share.js';
import type { Stream } from './stream.js';
import { isPending } from './streams.js';

/** What is known about a block of ours when it is made. */
export interface Block {
  readonly device: number;
  readonly memoryKind: CudaMemoryKind;
  readonly byteLength: number;
  /** Where work on it goes when no stream is named. */
  readonly home?: Stream | null;
}

/** A block of ours: given back in the background once its pending work has ended. */
export class AllocatedMemory extends CudaMemory {
  readonly backend: CudaBackend;
  readonly device: number;
  readonly memoryKind: CudaMemoryKind;
  readonly pointer: bigint;
  readonly allocation: Allocation;
  /** @internal */
  readonly handle: AllocationHandle;
  #loans: Event[] = [];
  #share: MemoryShare | null = null;

  constructor(backend: CudaBackend, { handle, pointer }: NativeMemory, block: Block) {
    super({ homeQueue: block.home ?? null });
    this.backend = backend;
    this.device = block.device;
    this.memoryKind = block.memoryKind;
    this.pointer = pointer;
    this.allocation = Object.freeze({ pointer, byteLength: block.byteLength });
    this.handle = handle;
  }

  /** Keeps the block until work on a loan of it, made through an interface dict, has ended. @internal */
  endLoan(pending: readonly Event[]): void {
    this.#loans = [...this.#loans.filter(isPending), ...pending];
    this.release();
  }

  /** What other processes open, made at first use. @internal */
  shareWith(make: () => MemoryShare): MemoryShare {
    this.#share ??= make();
    return this.#share;
  }

  /** After the work of other processes, too, that have the memory open. @internal */
  override before(queue: Queue): void {
    super.before(queue);
    this.#share?.waitForOpeners(queue);
  }

  /** Before what other processes do from now on. @internal */
  override after(queue: Queue, event?: Event): void {
    super.after(queue, event);
    this.#share?.moveReady(queue);
  }

  /** @internal */
  override exportQueue(fallback: Queue | null = null): Queue | null {
    const isBusy = this.#share !== null && isPending(this.#share.back);
    if (!isBusy) return super.exportQueue(fallback);
    const exported = super.exportQueue(fallback ?? this.backend.streamOf(this.device)) as Queue;
    this.#share?.waitForOpeners(exported);
    return exported;
  }

  /** Settles when all work of ours and of processes that have it open has ended; holds no thread. */
  override async synchronize(): Promise<void> {
    await super.synchronize();
    await this.#share?.back.synchronize();
  }

  protected free(pending: readonly Event[], captured: readonly Queue[]): void {
    const events = [...pending, ...this.#loans.splice(0)].filter(
      (event) => event instanceof CudaEvent,
    );
    const { homeQueue } = this;
    homeQueue?.retain();
    afterCapture(captured, (points) => {
      this.giveBack([...events, ...points]);
      homeQueue?.release();
    });
    this.backend.forget(this);
  }

  /** Called once, with points after all work on it. @internal */
  protected giveBack(pending: readonly CudaEvent[]): void {
    addon().free(this.handle, ...pending.map((event) => event.handle));
  }
}
