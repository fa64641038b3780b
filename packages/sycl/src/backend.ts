import type {
  ArrayDescriptor,
  DTypeLike,
  SyclCapsule,
  SyclCapsuleProvider,
} from '@array-interface/core';
import { ArrayInterfaceError } from '@array-interface/core';
import {
  type ArrayLike,
  type ArrayOptions,
  type Availability,
  abortable,
  BaseBackend,
  type BorrowOptions,
  type CopyOptions,
  type CopyPlan,
  type EmptyOptions,
  type Guest,
  type Memory,
  type Nested,
  type PointerInfo,
  type Queue,
  type QueueOptions,
  type Staging,
  type WaitOptions,
} from '@array-interface/core/backend';
import type { NativeDevice, UsmType } from './addon.js';
import { SyclArray } from './array.js';
import { borrow } from './borrow.js';
import { contextOf, SyclContext } from './context.js';
import { GuestMemory } from './guest-memory.js';
import { AllocatedMemory, KINDS, SyclMemory, WIDEST } from './memory.js';
import { ownQueue, SyclQueue } from './queue.js';
import { asyncErrors, findRuntime, runtime } from './runtime.js';
import { SyclStaging } from './staging.js';
import { placeOf } from './syclobj.js';

/**
 * A SYCL device, with the filter selector that names it to every SYCL program (`opencl:cpu:0`), its
 * backend, its compute units, and those aspects that matter to arrays, by SYCL's names.
 */
export type SyclDevice = NativeDevice;

/** What a queue is made for. */
export interface SyclQueueOptions extends QueueOptions {
  /** Where the queue works; default: the device in its default context. */
  readonly context?: SyclContext;
  /** Whether the native queue runs one command at a time; default true. Order is kept either way. */
  readonly inOrder?: boolean;
  /** Whether its events tell times. Default false. */
  readonly profiling?: boolean;
}

/** Where new memory is allocated, and of what kind. */
export interface SyclEmptyOptions extends EmptyOptions {
  /** Whose memory it will be; default: the queue's, or the device's default context. */
  readonly context?: SyclContext;
  /** Bytes that the first element's address is a multiple of, a power of two; default 64. */
  readonly alignment?: number;
}

/** What the runtime knows of a pointer. */
export interface SyclPointerInfo extends PointerInfo {
  /** The context that has it, or null: the default contexts, and those that were imported. */
  readonly context: SyclContext | null;
}

const HOST: UsmType = 3;

/** SYCL USM memory through dpctl's C library, which is loaded when something first needs it. */
export class SyclBackend extends BaseBackend<SyclArray> {
  readonly name = 'sycl';
  readonly protocol = 'sycl';
  /** One queue for each context, for work that names none. */
  readonly #queues = new WeakMap<SyclContext, SyclQueue>();

  get availability(): Availability {
    return findRuntime();
  }

  devices(): readonly SyclDevice[] {
    return runtime().devices();
  }

  /** A device in its default context, which dpctl and dpnp share. Throws ERR_ARGUMENT. */
  context(device = 0): SyclContext {
    return contextOf(device);
  }

  /**
   * A device in parts of so many compute units, each in a context of its own; for
   * `createQueue({ context })`. Throws ERR_ARGUMENT where the device cannot be divided so.
   */
  divide(device: number, computeUnits: number): readonly SyclContext[] {
    return runtime()
      .divide(device, computeUnits)
      .map((part) => new SyclContext(part));
  }

  inspectPointer(pointer: bigint): SyclPointerInfo {
    const { type, place } = runtime().find(pointer);
    const allocation = type === 0 ? null : runtime().rangeOf(pointer);
    const memoryKind = KINDS[type] as PointerInfo['memoryKind'];
    const context = place === null ? null : new SyclContext(place);
    const device = context?.device ?? null;
    return { memoryKind, device, context, allocation, hostAccessible: type > 1 };
  }

  createQueue(options: SyclQueueOptions = {}): SyclQueue {
    const { device, inOrder = true, profiling = false } = options;
    const context = contextFrom(options.context, device, null);
    return new SyclQueue(runtime().createQueue(context.handle, inOrder, profiling), context);
  }

  /**
   * A queue of whomever: a queue object of another library or its capsule, whose native queue is
   * shared and kept; or a new queue for a selector, a context or its capsule. One of this package
   * comes back as it is, any other is to be disposed. Throws ERR_SYCLOBJ, ERR_DISPOSED.
   */
  asQueue(syclobj: string | SyclCapsule | SyclCapsuleProvider): SyclQueue {
    const { queue, context } = placeOf(syclobj, 0n);
    if (queue === null) return this.createQueue({ context });
    return queue;
  }

  override empty(
    shape: readonly number[],
    dtype: DTypeLike,
    options: SyclEmptyOptions = {},
  ): SyclArray {
    return super.empty(shape, dtype, options);
  }

  override array(
    source: ArrayLike | Nested,
    options: SyclEmptyOptions & ArrayOptions = {},
  ): Promise<SyclArray> {
    return super.array(source, options);
  }

  override copy(
    destination: ArrayLike,
    source: ArrayLike,
    options: CopyOptions = {},
  ): Promise<void> {
    if (options.queue === undefined) return super.copy(destination, source, options);
    return this.#copyOn(destination, source, options);
  }

  async #copyOn(destination: ArrayLike, source: ArrayLike, options: CopyOptions): Promise<void> {
    ownQueue(options.queue);
    return super.copy(destination, source, options);
  }

  /**
   * Calls `listener` with an ERR_SYCL for each error of enqueued work that no promise carries: that
   * of a copy nobody waited for. Without a listener in the main thread it becomes a warning.
   */
  on(event: 'error', listener: (error: ArrayInterfaceError) => void): this {
    asyncErrors.on(event, listener);
    return this;
  }

  /** Ends what `on` began. */
  off(event: 'error', listener: (error: ArrayInterfaceError) => void): this {
    asyncErrors.off(event, listener);
    return this;
  }

  synchronize(options: WaitOptions = {}): Promise<void> {
    return abortable(runtime().synchronize(), options.signal);
  }

  /**
   * Settles when the kernels are built that copies up to now have asked for. A copy of a new kind,
   * of 2^14 units or more, has its own built on another thread and goes with a slower one; from
   * 2^21 units for each kernel on it builds them first, and holds the event loop. What has to be
   * fast later on makes a copy of each kind and waits for this. Throws ERR_BACKEND_UNAVAILABLE;
   * rejects with the signal's reason.
   */
  kernelsBuilt(options: WaitOptions = {}): Promise<void> {
    return abortable(runtime().kernelsBuilt(), options.signal);
  }

  /** The queue that stands for a memory in SUAI: whoever waits for it has waited for all. @internal */
  exportedQueue(memory: SyclMemory): SyclQueue {
    const fallback = memory.homeQueue ?? this.defaultQueue(memory);
    return ownQueue(memory.exportQueue(fallback)) as SyclQueue;
  }

  protected allocate(byteLength: number, options: SyclEmptyOptions): AllocatedMemory {
    const home = ownQueue(options.queue);
    const context = contextFrom(options.context, options.device, home);
    const { alignment = WIDEST } = options;
    checkAlignment(alignment);
    const type = usmType(options.memoryKind ?? 'device');
    return new AllocatedMemory(this, context, type, byteLength, home, alignment);
  }

  protected borrow(array: ArrayDescriptor, options: BorrowOptions): SyclMemory {
    return borrow(this, array, options);
  }

  protected wrap(memory: Memory, descriptor: ArrayDescriptor): SyclArray {
    return new SyclArray(memory as SyclMemory, descriptor);
  }

  protected stage(byteLength: number, queue: Queue): Staging {
    const { context } = ownQueue(queue) as SyclQueue;
    return new SyclStaging(new AllocatedMemory(this, context, HOST, byteLength, null));
  }

  protected defaultQueue(memory: Memory): SyclQueue {
    const own = (memory as SyclMemory).context;
    const context = own.isDefault ? contextOf(own.device) : own;
    const known = this.#queues.get(context);
    if (known !== undefined) return known;
    const made = this.createQueue({ context });
    this.#queues.set(context, made);
    return made;
  }

  /** Memory of two contexts is beyond any one queue: it goes through the host. */
  protected override areApart(one: Memory | Queue, other: Memory): boolean {
    const { context } = one instanceof SyclMemory ? one : (ownQueue(one as Queue) as SyclQueue);
    return !context.isSame((other as SyclMemory).context);
  }

  /** All that this process reaches, on a device that reaches it, too. */
  protected override guest(array: ArrayDescriptor, memory: Memory, queue: Queue): Guest | null {
    const { context } = ownQueue(queue) as SyclQueue;
    const seen = memory.onHost(array);
    if (seen === null || !reachesSystem(context.device)) return null;
    return { memory: new GuestMemory(this, context, seen.pointer, memory), array: seen };
  }

  protected enqueue(queue: Queue, plan: CopyPlan, target: Memory, origin: Memory): void {
    const [intoGuest, outOfGuest] = [target, origin].map((memory) => memory instanceof GuestMemory);
    (ownQueue(queue) as SyclQueue).enqueue(plan, intoGuest, outOfGuest);
  }
}

const systemDevices = new Map<number, boolean>();

/** Whether the device reaches all memory of this process, whoever allocated it. */
function reachesSystem(device: number): boolean {
  const known = systemDevices.get(device);
  if (known !== undefined) return known;
  const found = runtime().devices()[device]?.aspects.includes('usm_system_allocations') ?? false;
  systemDevices.set(device, found);
  return found;
}

/** The one context that options name, or the first device's. */
function contextFrom(
  named: SyclContext | undefined,
  device: number | undefined,
  home: SyclQueue | null,
): SyclContext {
  const context = named ?? home?.context ?? contextOf(device ?? 0);
  const agrees =
    context instanceof SyclContext &&
    (device === undefined || context.device === device) &&
    (home === null || context.isSame(home.context));
  if (agrees) return context;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    device === undefined ? 'context' : 'device',
    `expected the context and the device that queue or context have, got device ${device ?? 'none'} ` +
      'beside others; name one of the three',
  );
}

function checkAlignment(alignment: number): void {
  const isPower =
    Number.isInteger(alignment) && alignment > 0 && Number.isInteger(Math.log2(alignment));
  if (isPower) return;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'alignment',
    `expected a power of two, in bytes, got ${String(alignment)}`,
  );
}

function usmType(kind: string): UsmType {
  const type = KINDS.indexOf(kind as PointerInfo['memoryKind']);
  if (type > 0) return type as UsmType;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'memoryKind',
    `expected device, shared or host, got ${kind}; SYCL has no other memory`,
  );
}
