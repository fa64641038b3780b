import { ArrayInterfaceError } from '@array-interface/core';
import {
  BackendQueue,
  type Checks,
  checkFlag,
  DeviceQueue,
  internals,
  isInstance,
  notAnEvent,
  type QueueEvent,
  readOptions,
} from '@array-interface/core/backend';
import { addon, type NativeQueue } from '../addon.js';
import { CudaEvent } from './event.js';

/** Options of a new event. */
export interface RecordOptions {
  /** Whether the event has a time, for `elapsedSince`. Default: false, which is cheaper. */
  readonly timing?: boolean;
}

const RECORD_OPTIONS: Checks<RecordOptions> = { timing: checkFlag };

/**
 * A CUDA stream. `cuda.createStream()` makes a stream that this library owns. `cuda.stream()` wraps
 * another library's stream, which is used but never destroyed. An owned stream that arrays still
 * need is destroyed with the last of them.
 *
 * @example
 * ```ts
 * import { cuda } from '@array-interface/cuda';
 *
 * using stream = cuda.createStream();
 * using array = cuda.empty([3], 'float32', { queue: stream });
 * await cuda.fill(array, 1, { queue: stream });
 * const event = stream.record();
 * await event.synchronize();
 * ```
 */
export class Stream extends DeviceQueue {
  /**
   * The driver's handle, with the values of CAI's `stream`: 1n is the legacy default stream, 2n the
   * per-thread default stream.
   */
  readonly handle: bigint;
  /** Index of the stream's device. */
  readonly device: number;
  /**
   * Whether the stream belongs to the device's primary context. This library enqueues work only on
   * such streams.
   */
  readonly isPrimary: boolean;
  /**
   * Whether it lives as long as this object: a stream this library created, or a default stream.
   * @internal
   */
  readonly isKept: boolean;

  /** @internal Made by `cuda.createStream()` and `cuda.stream()`. */
  constructor(native: NativeQueue) {
    super(addon(), native.handle);
    this.handle = native.pointer;
    this.device = native.device;
    this.isPrimary = native.isPrimary;
    this.isKept = native.isKept;
  }

  /**
   * Whether the stream does not synchronize with the legacy default stream. Throws ERR_DISPOSED,
   * ERR_CUDA.
   */
  get nonBlocking(): boolean {
    return addon().isNonBlocking(this.native);
  }

  /** The stream's priority. Lower numbers run first. Throws ERR_DISPOSED, ERR_CUDA. */
  get priority(): number {
    return addon().priorityOf(this.native);
  }

  /**
   * Records an event after everything enqueued so far. Does not block. Throws ERR_DISPOSED,
   * ERR_CUDA, and ERR_PENDING while work of the stream waits for a kernel that is being built.
   *
   * @example
   * ```ts
   * import { cuda } from '@array-interface/cuda';
   *
   * using stream = cuda.createStream();
   * using other = cuda.createStream();
   * other.wait(stream.record()); // work enqueued on `other` from now on starts after this event
   * ```
   */
  record(options: RecordOptions = {}): CudaEvent {
    const { timing = false } = readOptions(options, RECORD_OPTIONS);
    internals(this).assertEnqueued();
    return new CudaEvent(addon().record(this.native, timing), timing);
  }

  /** Returns the event of a stream. Throws ERR_ARGUMENT for another backend's event. */
  protected ownEvent(event: QueueEvent): CudaEvent {
    if (isInstance(event, CudaEvent)) return event;
    throw notAnEvent('an event of a CUDA stream', event);
  }

  /** Returns whether both objects name the same driver stream. */
  override isSame(other: BackendQueue): boolean {
    if (other === this) return true;
    return isStream(other) && other.handle === this.handle && other.device === this.device;
  }

  /** The protocol by which Python libraries exchange streams. Returns version 0 and the handle. */
  __cuda_stream__(): readonly [version: 0, handle: bigint] {
    return [0, this.handle];
  }

  /**
   * Returns whether work enqueued now is captured into a graph instead of running. Throws ERR_CUDA.
   */
  isCapturing(): boolean {
    return addon().isCapturing(this.native);
  }

  /** Throws ERR_CAPTURE while the stream is being captured. */
  protected override checkRuns(): void {
    addon().assertRuns(this.native);
  }
}

/** True for a real stream of this backend, not a proxy of one. */
export function isStream(value: unknown): value is Stream {
  return BackendQueue.is(value) && value instanceof Stream;
}

/** Returns the queue as a stream. Throws ERR_ARGUMENT for another backend's queue. */
export function ownStream(queue: BackendQueue): Stream {
  if (isStream(queue)) return queue;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'queue',
    "expected a CUDA stream, got another backend's queue; create one with cuda.createStream()",
  );
}

/**
 * Throws ERR_NOT_ACCESSIBLE if the stream does not belong to the primary context, which this
 * backend's memory belongs to.
 */
export function checkPrimary(stream: Stream): void {
  if (stream.isPrimary) return;
  throw new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    'queue',
    `expected a stream of the primary context of device ${stream.device}, got one of another context, ` +
      "which cannot access this backend's memory; name a primary stream, and have it wait for an event of this one",
  );
}
