import { ArrayInterfaceError } from '@array-interface/core';
import { type CopyPlan, type Event, isContiguous, Queue } from '@array-interface/core/backend';
import { addon } from './addon.js';
import { CudaEvent } from './event.js';
import type { NativeStream, StreamHandle } from './native.js';

/** The latest point that was marked on a stream; each operation of ours ends with one. */
export interface LastWork {
  last: CudaEvent | null;
}

/** What the event of a record can do. */
export interface RecordOptions {
  /** Whether the point has a time, for `elapsedSince`; default false, which is cheaper. */
  readonly timing?: boolean;
}

/**
 * A CUDA stream: one of ours, or somebody else's by its handle, which is used and never destroyed.
 * One of ours that arrays still need is destroyed with the last of them.
 */
export class Stream extends Queue {
  /** The driver's handle, as CAI's `stream` has it: 1n legacy default, 2n per-thread default. */
  readonly handle: bigint;
  readonly device: number;
  /** Whether it runs beside the legacy default stream. */
  readonly nonBlocking: boolean;
  /** Lower numbers go first. */
  readonly priority: number;
  /** Whether it is of the device's primary context; only such streams take our work. */
  readonly isPrimary: boolean;
  /** False of somebody else's by its handle alone. @internal */
  override readonly isKept: boolean;
  /** @internal */
  readonly native: StreamHandle;
  readonly #ended: () => void;
  readonly #work: LastWork;

  /** @internal `cuda.createStream()` and `cuda.stream()` make streams. */
  constructor(native: NativeStream, isKept: boolean, work: LastWork, ended: () => void) {
    super();
    this.handle = native.pointer;
    this.device = native.device;
    this.nonBlocking = native.nonBlocking;
    this.priority = native.priority;
    this.isPrimary = native.isPrimary;
    this.isKept = isKept;
    this.native = native.handle;
    this.#work = work;
    this.#ended = ended;
  }

  /** Marks a point after everything enqueued so far. Does not wait. Throws ERR_DISPOSED, ERR_CUDA. */
  record(options: RecordOptions = {}): CudaEvent {
    const { timing = false } = options;
    const event = new CudaEvent(addon().record(this.native, timing), timing);
    this.#work.last = event;
    return event;
  }

  /** Whether everything enqueued so far has ended. Does not wait. Throws ERR_CUDA when it failed. */
  override query(): boolean {
    return addon().queryStream(this.native);
  }

  /** Everything enqueued from now on starts after `event`. Does not wait. Throws ERR_ARGUMENT. */
  wait(event: Event): void {
    if (!(event instanceof CudaEvent)) {
      throw new ArrayInterfaceError(
        'ERR_ARGUMENT',
        'event',
        'expected an event of a CUDA stream, got another; wait for it with synchronize() first',
      );
    }
    addon().wait(this.native, event.handle);
  }

  /** Whether both are the same stream of the same device. */
  isSame(other: Queue): boolean {
    if (other === this) return true;
    return other instanceof Stream && other.handle === this.handle && other.device === this.device;
  }

  /** The protocol by which Python's libraries pass streams on: version 0 and the handle. */
  __cuda_stream__(): readonly [version: 0, handle: bigint] {
    return [0, this.handle];
  }

  /** Whether what is enqueued now goes into a graph instead of being done. Throws ERR_CUDA. */
  isCapturing(): boolean {
    return addon().isCapturing(this.native);
  }

  /** Throws ERR_CAPTURE while the stream is being captured. @internal */
  override assertRuns(): void {
    if (!this.isCapturing()) return;
    throw new ArrayInterfaceError(
      'ERR_CAPTURE',
      'stream',
      `expected a stream that runs its work, got 0x${this.handle.toString(16)}, which is being ` +
        'captured into a graph; end the capture first, or name another stream',
    );
  }

  /** Enqueues a copy whose two sides the device reaches. Does not wait. @internal */
  enqueue(plan: CopyPlan): void {
    if (isContiguous(plan)) {
      addon().copyRun(this.native, plan.destination, plan.source, plan.nbytes);
    } else {
      addon().copyStrided(this.native, plan);
    }
  }

  /** Whether kernels on this stream reach a device's memory; lets them where they can. @internal */
  reaches(device: number): boolean {
    return device === this.device || addon().reach(this.native, device);
  }

  protected destroy(): void {
    this.#ended();
    addon().destroyStream(this.native);
  }
}

/** The queue as ours. Throws ERR_ARGUMENT for another backend's. */
export function ownStream(queue: Queue): Stream {
  if (queue instanceof Stream) return queue;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'queue',
    'expected a CUDA stream, got a queue of another backend; make one with cuda.createStream()',
  );
}
