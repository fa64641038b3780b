import type { ArrayDescriptor } from '@array-interface/core';
import type { Allocation, Event, Queue, Sync } from '@array-interface/core/backend';
import { afterCapture } from './after-capture.js';
import type { AllocatedMemory } from './allocated-memory.js';
import type { CudaBackend } from './backend.js';
import { CudaMemory } from './memory.js';
import type { CudaMemoryKind } from './native.js';
import type { Stream } from './stream.js';

/** What was found out about a producer's memory. */
export interface Proof {
  readonly device: number;
  readonly memoryKind: CudaMemoryKind;
  readonly pointer: bigint;
  /** What to add to the producer's addresses for those that kernels use; 0n but for mapped memory. */
  readonly shift: bigint;
  /** The same for those that this process uses; null: it reaches none of it. */
  readonly hostShift: bigint | null;
  /** The range that is known to exist, in the producer's addresses, or null: trusted. */
  readonly allocation: Allocation | null;
  /** Whether it belongs to a context: what peers reach of a context they do not reach of a pool. */
  readonly hasContext: boolean;
  /** The block, when it is one of ours. */
  readonly lender: AllocatedMemory | null;
}

/**
 * A producer's memory, kept with its producer, its stream and, when we allocated it, the block
 * itself. CAI v3, "Synchronization": ours starts after what is on the producer's stream, and what is
 * put there later waits for ours; `sync: 'block'` waits on the calling thread instead, both times.
 */
export class BorrowedMemory extends CudaMemory {
  readonly backend: CudaBackend;
  readonly device: number;
  readonly memoryKind: CudaMemoryKind;
  readonly pointer: bigint;
  readonly allocation: Allocation | null;
  readonly #shift: bigint;
  readonly #hostShift: bigint | null;
  readonly #hasContext: boolean;
  readonly #lender: AllocatedMemory | null;
  readonly #blocking: Stream | null;
  #mask: BorrowedMemory | null = null;

  constructor(
    backend: CudaBackend,
    proof: Proof,
    producer: unknown,
    stream: Stream | null,
    sync: Sync,
  ) {
    super({
      producer,
      producerQueue: sync === 'wait' ? stream : null,
      homeQueue: homeOf(stream, sync, backend, proof.device),
    });
    this.backend = backend;
    this.device = proof.device;
    this.memoryKind = proof.memoryKind;
    this.pointer = proof.pointer + proof.shift;
    this.allocation = proof.allocation;
    this.#shift = proof.shift;
    this.#hostShift = proof.hostShift;
    this.#hasContext = proof.hasContext;
    this.#lender = proof.lender;
    this.#blocking = sync === 'block' ? stream : null;
    this.#lender?.retain();
  }

  /** Pools and mapped memory of others let devices reach them one by one, as we cannot see. @internal */
  override isReachedFrom(device: number): boolean | null {
    if (this.#lender !== null) return this.#lender.isReachedFrom(device);
    return this.#hasContext ? null : false;
  }

  /** Keeps the mask's memory, its producer and its stream as long as this. @internal */
  tieMask(mask: BorrowedMemory): void {
    mask.retain();
    this.#mask = mask;
  }

  override reached(array: ArrayDescriptor): ArrayDescriptor {
    if (this.#shift === 0n) return array;
    return array.with({ pointer: array.pointer + this.#shift });
  }

  /** @internal */
  protected override hostAddress(pointer: bigint): bigint | null {
    return this.#hostShift === null ? null : pointer + this.#hostShift;
  }

  /** With `sync: 'block'` the calling thread waits for the producer's stream. @internal */
  override before(queue: Queue): void {
    this.#blocking?.assertRuns();
    this.#blocking?.synchronizeSync();
    super.before(queue);
  }

  /** With `sync: 'block'` the calling thread waits for our work. @internal */
  override after(queue: Queue, event?: Event): void {
    super.after(queue, event);
    if (this.#blocking !== null) queue.synchronizeSync();
  }

  /** The producer's own stream when nothing of ours is pending: it may have work by now. @internal */
  override exportQueue(fallback: Queue | null = this.#blocking): Queue | null {
    const exported = super.exportQueue(fallback);
    if (exported !== null) this.#mask?.before(exported);
    return exported;
  }

  protected free(pending: readonly Event[], captured: readonly Queue[]): void {
    afterCapture(captured, (points) => {
      this.#lender?.endLoan([...pending, ...points]);
      this.#mask?.release();
    });
  }
}

/** A stream of another context orders our work, and cannot do it. */
function homeOf(
  stream: Stream | null,
  sync: Sync,
  backend: CudaBackend,
  device: number,
): Stream | null {
  if (stream === null || sync === 'none') return null;
  return stream.isPrimary ? stream : backend.streamOf(device);
}
