import type { ArrayDescriptor, BorrowOptions } from '@array-interface/core';
import type {
  BackendIdentity,
  BackendQueue,
  BufferMapping,
  CopyPlan,
  Driver,
  GroupLimits,
  ImportedMemory,
  Kernel,
  Launch,
  LaunchLimits,
  Memory,
  OwnOptions,
  Reach,
  Signature,
  Staging,
  Use,
} from '@array-interface/core/backend';
import { groupFor, internals, isContiguous } from '@array-interface/core/backend';
import type { KernelHandle } from './addon.js';
import { SyclArray } from './array.js';
import { runtime } from './driver/runtime.js';
import {
  buildKernel,
  groupLimits,
  handlesOf,
  LAUNCH_LIMITS,
  launchKernel,
  USUAL_GROUP,
} from './kernels/kernel.js';
import { allocate, HOST, WIDEST } from './memory/allocate.js';
import { borrow } from './memory/borrow.js';
import { reachFrom, SyclMemory } from './memory/memory.js';
import { readCapsule } from './memory/read-capsule.js';
import { SyclStaging } from './memory/staging.js';
import {
  checkAlignment,
  checkContext,
  contextFrom,
  type SyclEmptyOptions,
  usmType,
} from './options.js';
import type { SyclContext } from './work/context.js';
import { defaultQueueOf } from './work/default-queue.js';
import { ownQueue, type SyclQueue } from './work/queue.js';

/** The SYCL runtime as core's copies and launches use it: memory, queues and their work. */
export class SyclDriver implements Driver<SyclArray> {
  readonly ownOptions: OwnOptions = { empty: { context: checkContext, alignment: checkAlignment } };
  readonly isSynchronous = false;
  readonly launchLimits: LaunchLimits = LAUNCH_LIMITS;
  readonly #backend: BackendIdentity;

  constructor(backend: BackendIdentity) {
    this.#backend = backend;
  }

  allocate(byteLength: number, options: SyclEmptyOptions, timeout: number): SyclMemory {
    const { alignment = WIDEST, memoryKind = 'device' } = options;
    const homeQueue = ownQueue(options.queue);
    const context = contextFrom(options.context, options.device, homeQueue);
    const type = usmType(memoryKind);
    return allocate(this.#backend, context, { type, byteLength, homeQueue, alignment, timeout });
  }

  returned(): number {
    return runtime().returned();
  }

  async memoryReturned(options: SyclEmptyOptions, returned: number): Promise<boolean> {
    const context = contextFrom(options.context, options.device, ownQueue(options.queue));
    await runtime().memoryReturned(context.handle, returned);
    return runtime().returned() !== returned;
  }

  borrow(array: ArrayDescriptor, options: BorrowOptions): SyclMemory {
    return borrow(this.#backend, array, options);
  }

  readCapsule(capsule: object): ArrayDescriptor | null {
    return readCapsule(capsule);
  }

  wrap(memory: Memory, descriptor: ArrayDescriptor, base: SyclArray | null): SyclArray {
    return new SyclArray(memory as SyclMemory, descriptor, base);
  }

  defaultQueue(memory: Memory): SyclQueue {
    return defaultQueueOf((memory as SyclMemory).context);
  }

  enqueue(queue: BackendQueue, plan: CopyPlan, target: Memory, origin: Memory): void {
    const [into, outOf] = [(target as SyclMemory).native, (origin as SyclMemory).native];
    const native = handleOf(queue);
    const { destination, source, nbytes } = plan;
    if (isContiguous(plan)) {
      runtime().copyRun(native, destination, source, nbytes, into, outOf);
    } else {
      runtime().copy(native, plan, into, outOf);
    }
  }

  stage(byteLength: number, queue: BackendQueue, timeout: number): Staging {
    const { context } = ownQueue(queue) as SyclQueue;
    const request = { type: HOST, byteLength, timeout };
    return new SyclStaging(allocate(this.#backend, context, request));
  }

  async settle(queue: BackendQueue, memory: Memory): Promise<void> {
    await runtime().settle((memory as SyclMemory).native, handleOf(queue));
  }

  mapBuffer(memory: Memory, address: bigint, byteLength: number): BufferMapping | null {
    const { native: handle, producer } = memory as SyclMemory;
    const made = runtime().mapBuffer(handle, address, byteLength);
    if (made === null) return null;
    const { buffer, mapped } = made;
    return { buffer, end: () => runtime().unmapBuffer(mapped, buffer, producer?.object) };
  }

  /**
   * Imports memory that this process can access, if the device can access all system memory (SYCL
   * 2020, 4.8.3).
   */
  import(array: ArrayDescriptor, memory: Memory, queue: BackendQueue): ImportedMemory | null {
    const { context } = ownQueue(queue) as SyclQueue;
    const seen = internals(memory).onHost(array);
    if (seen === null || !reachesSystem(context.device)) return null;
    return { memory: importedMemory(this.#backend, context, memory), array: seen };
  }

  reach(queue: BackendQueue, memory: Memory): Reach {
    return reachFrom((ownQueue(queue) as SyclQueue).context, memory as SyclMemory);
  }

  groupOf(range: readonly number[], { items }: GroupLimits): readonly number[] {
    return groupFor(range, Math.min(items, USUAL_GROUP));
  }

  groupLimits(_queue: BackendQueue, built: object): GroupLimits {
    return groupLimits(built as KernelHandle);
  }

  build(
    kernel: Kernel,
    signature: Signature,
    queue: BackendQueue,
  ): KernelHandle | Promise<KernelHandle> {
    return buildKernel(kernel, signature, ownQueue(queue) as SyclQueue);
  }

  launch(queue: BackendQueue, built: object, launch: Launch): void {
    launchKernel(ownQueue(queue) as SyclQueue, built as KernelHandle, launch);
  }

  before(queue: BackendQueue, uses: readonly Use[]): void {
    runtime().beginExternalWork(handleOf(queue), ...handlesOf(uses));
  }

  after(queue: BackendQueue, uses: readonly Use[]): void {
    runtime().endExternalWork(handleOf(queue), ...handlesOf(uses));
  }

  /** The runtime needs no thread-local state. */
  within<T>(_queue: BackendQueue, _uses: readonly Use[], work: () => T): T {
    return work();
  }
}

function handleOf(queue: BackendQueue) {
  return (ownQueue(queue) as SyclQueue).native;
}

function importedMemory(
  backend: BackendIdentity,
  context: SyclContext,
  memory: Memory,
): SyclMemory {
  const shift = memory.hostOffset ?? 0n;
  const pointer = memory.pointer + shift;
  const allocation = memory.allocation && {
    pointer: memory.allocation.pointer + shift,
    byteLength: memory.allocation.byteLength,
  };
  const producer = { object: memory, queue: null, sync: 'none' } as const;
  const native = runtime().import(context.handle, memory);
  return new SyclMemory(backend, native, { pointer, allocation, producer });
}

const systemDevices = new Map<number, boolean>();

/** Whether the device can access all memory of this process, whatever allocated it. */
function reachesSystem(device: number): boolean {
  const known = systemDevices.get(device);
  if (known !== undefined) return known;
  const found = runtime().devices()[device]?.aspects.includes('usm_system_allocations') ?? false;
  systemDevices.set(device, found);
  return found;
}
