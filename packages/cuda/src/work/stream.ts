import { ArrayInterfaceError } from '@array-interface/core';
import {
  BackendQueue,
  type Checks,
  checkFlag,
  internals,
  isInstance,
  type QueueEvent,
  readOptions,
} from '@array-interface/core/backend';
import { addon, type NativeStream, type StreamHandle } from '../addon.js';
import { CudaEvent } from './event.js';

/** The properties of a new event. */
export interface RecordOptions {
  /** Whether the point has a time, for `elapsedSince`. Default false, which is cheaper. */
  readonly timing?: boolean;
}

const RECORD_OPTIONS: Checks<RecordOptions> = { timing: checkFlag };

/**
 * A CUDA stream: one of ours, or another library's by its handle, which is used and never
 * destroyed. A stream of ours that arrays still need is destroyed with the last of them.
 */
export class Stream extends BackendQueue {
  /** The driver's handle, as CAI's `stream` has it: 1n legacy default, 2n per-thread default. */
  readonly handle: bigint;
  /** Index of its device. */
  readonly device: number;
  /** Whether it is of the device's primary context. Only such streams do our work. */
  readonly isPrimary: boolean;
  /** Whether it lives as long as this object: a stream of ours, or a default stream. @internal */
  readonly isKept: boolean;
  /** @internal */
  readonly native: StreamHandle;

  /** @internal `cuda.createStream()` and `cuda.stream()` make streams. */
  constructor(native: NativeStream) {
    super();
    this.handle = native.pointer;
    this.device = native.device;
    this.isPrimary = native.isPrimary;
    this.isKept = native.isKept;
    this.native = native.handle;
  }

  /** Whether it runs beside the legacy default stream. Throws ERR_DISPOSED, ERR_CUDA. */
  get nonBlocking(): boolean {
    return addon().isNonBlocking(this.native);
  }

  /** Lower numbers go first. Throws ERR_DISPOSED, ERR_CUDA. */
  get priority(): number {
    return addon().priorityOf(this.native);
  }

  /**
   * Marks a point after everything enqueued so far. Does not wait. Throws ERR_DISPOSED, ERR_CUDA, and
   * ERR_PENDING while work of the stream waits for a kernel which is being built.
   */
  record(options: RecordOptions = {}): CudaEvent {
    const { timing = false } = readOptions(options, RECORD_OPTIONS);
    internals(this).assertEnqueued();
    return new CudaEvent(addon().record(this.native, timing), timing);
  }

  /**
   * Whether everything enqueued so far has ended. Does not wait. Throws ERR_CUDA when work failed.
   */
  override query(): boolean {
    return internals(this).isEnqueued && addon().queryStream(this.native);
  }

  /**
   * Makes everything enqueued from now on start after `event`. Does not wait. Throws ERR_ARGUMENT, and
   * ERR_CUDA when work before the event failed. Where its device is lost later, so is what comes after
   * it: waits for that reject.
   */
  wait(event: QueueEvent): void {
    if (!isInstance(event, CudaEvent)) {
      throw new ArrayInterfaceError(
        'ERR_ARGUMENT',
        'event',
        'expected an event of a CUDA stream, got another; wait for it with synchronize() first',
      );
    }
    addon().wait(this.native, event.handle);
  }

  /** Whether both stand for one stream of the driver. */
  override isSame(other: BackendQueue): boolean {
    if (other === this) return true;
    return isStream(other) && other.handle === this.handle && other.device === this.device;
  }

  /** The protocol by which Python libraries hand streams on: version 0 and the handle. */
  __cuda_stream__(): readonly [version: 0, handle: bigint] {
    return [0, this.handle];
  }

  /** Whether work enqueued now goes into a graph instead of being done. Throws ERR_CUDA. */
  isCapturing(): boolean {
    return addon().isCapturing(this.native);
  }

  /** Throws ERR_CAPTURE while the stream is being captured. */
  protected override checkRuns(): void {
    addon().assertRuns(this.native);
  }

  /** Gives the native stream back. */
  protected destroy(): void {
    addon().endStream(this.native);
  }
}

/** Whether it is a stream of ours, and no proxy of one. */
export function isStream(value: unknown): value is Stream {
  return BackendQueue.is(value) && value instanceof Stream;
}

/** The queue as a stream of ours. Throws ERR_ARGUMENT for another backend's queue. */
export function ownStream(queue: BackendQueue): Stream {
  if (isStream(queue)) return queue;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'queue',
    'expected a CUDA stream, got a queue of another backend; make one with cuda.createStream()',
  );
}

/** Throws ERR_NOT_ACCESSIBLE for a stream of another context than the memory that we work on. */
export function checkPrimary(stream: Stream): void {
  if (stream.isPrimary) return;
  throw new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    'queue',
    `expected a stream of the primary context of device ${stream.device}, got one of another, ` +
      'which reaches no memory of ours; name another stream, which may wait for its events',
  );
}
