import type { ArrayDescriptor } from '@array-interface/core';
import {
  type ArrayCapsule,
  type BackendIdentity,
  type BackendQueue,
  capsuleFields,
  DeviceMemory,
  type DeviceMemoryFacts,
  internals,
  type Sync,
  ticketError,
} from '@array-interface/core/backend';
import { addon, type CudaMemoryKind } from '../addon.js';
import type { Stream } from '../work/stream.js';
import type { StreamProducer } from '../work/stream-handle.js';
import { defaultStreamOf, useStream } from '../work/streams.js';

/** DLPack device types. */
const DEVICE_TYPES: Readonly<Record<CudaMemoryKind, number>> = { device: 2, host: 3, shared: 13 };

/** Origin of memory: this package, a process that shared it, or a producer. */
export type CudaMemoryOrigin = 'allocated' | 'pool' | 'registered' | 'opened' | 'loan' | 'borrowed';

/** Properties of new memory. */
export interface CudaMemoryFacts extends DeviceMemoryFacts<Stream, CudaMemoryKind> {
  /** `loan`: this backend's memory. `borrowed`: another library's. */
  readonly origin: CudaMemoryOrigin;
  readonly device: number;
  /** Offset from an address of its arrays to the address for kernels. */
  readonly shift?: bigint;
  /** How consumers are told of pending work on its arrays. */
  readonly exportMode?: Sync | undefined;
  /** How work is ordered with the producer's stream. */
  readonly sync?: Sync;
  /** Memory of the array's mask. */
  readonly mask?: CudaMemory | null;
}

/** Memory that the CUDA driver knows. Its native block tracks the order of work on it. */
export class CudaMemory extends DeviceMemory<Stream, CudaMemoryKind> {
  /** Index of the device that holds the memory, or that it was allocated for. */
  readonly device: number;
  override readonly shift: bigint;
  /** @internal */
  readonly origin: CudaMemoryOrigin;
  /** @internal */
  readonly exportMode: Sync;
  /** @internal */
  readonly sync: Sync;
  /** @internal */
  readonly mask: CudaMemory | null;

  /** Takes ownership of the native memory and the mask's memory, and a reference to the streams. */
  constructor(backend: BackendIdentity, facts: CudaMemoryFacts) {
    super(addon(), backend, facts);
    this.device = facts.device;
    this.shift = facts.shift ?? 0n;
    this.origin = facts.origin;
    this.exportMode = facts.exportMode ?? 'wait';
    this.sync = facts.sync ?? 'none';
    this.mask = facts.mask ?? null;
  }

  /** False for registered memory, and where consumers order their work themselves. */
  override get isOwn(): boolean {
    return this.origin === 'allocated' && this.exportMode !== 'none';
  }

  /**
   * Returns the stream for an interface dict, which is always the same one. It waits for all work
   * so far, even if all of it has ended. Null if consumers order their work themselves, or if this
   * thread has waited. @internal
   */
  exportStream(): bigint | null {
    const stream = this.#export();
    return this.exportMode === 'wait' ? (stream?.handle ?? null) : null;
  }

  protected override isOwnOrder({ stream }: ArrayDescriptor): boolean {
    return stream === null || stream === this.#streamToName().handle;
  }

  protected override makeCapsule(array: ArrayDescriptor): ArrayCapsule {
    const { memoryKind, device } = this;
    const isOfDevice = memoryKind === 'device';
    const fields = capsuleFields(array, {
      type: DEVICE_TYPES[memoryKind],
      id: isOfDevice ? device : 0,
    });
    const stream = this.#export()?.native ?? null;
    return addon().exportCapsule(this.native, stream, this.exportMode === 'block', ...fields);
  }

  /**
   * Returns the stream that consumers are told of, which waits for all work. Null if none is named.
   */
  #export(): Stream | null {
    if (this.exportMode === 'none') return null;
    const stream = this.#streamToName();
    internals(this.mask)?.assertEnqueued('array'); // before anything is exported
    this.exportOn(stream);
    this.mask?.exportOn(stream);
    if (this.exportMode === 'block') stream.synchronizeSync();
    return stream;
  }

  /** Implements `CudaArray.recordUse`. */
  override recordUse(named: BackendQueue | bigint | StreamProducer): void {
    useStream(named, this.device, ({ native }) => {
      const told = addon().endExternalWork(native, [this.native], []);
      if (told !== undefined) throw untold(told);
    });
  }

  protected override free(): void {
    super.free();
    internals(this.mask)?.end();
  }

  /**
   * Returns the stream to name to consumers: the producer's, the home stream or the device's own.
   * Never the per-thread default stream, which is a different stream in another thread. Never
   * another library's stream except the producer's, since it may end before the memory.
   */
  #streamToName(): Stream {
    const { producerQueue, homeQueue } = this;
    const isStrangers = this.origin === 'borrowed' && producerQueue !== null;
    if (isStrangers && mayBeNamed(producerQueue)) return producerQueue;
    for (const stream of [producerQueue, homeQueue]) {
      if (stream?.isKept && mayBeNamed(stream)) return stream;
    }
    return defaultStreamOf(this.device);
  }
}

/** The error of a synchronous call whose work other processes are notified of later. */
function untold(told: Promise<void>): Error {
  told.catch(() => {}); // waits for the work report the error
  return ticketError(
    'array',
    "a lock on the ticket's file, which tells other processes of the work, got one that another process holds",
    'the work is recorded here: await array.synchronize(), or call recordUse again, before you notify them',
  );
}

function mayBeNamed({ handle, isPrimary }: Stream): boolean {
  return handle !== 2n && isPrimary;
}
