import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import type { Kernel } from '../../kernel/kernel.js';
import type { Signature } from '../../kernel/signature.js';
import { encodePlan } from '../../plan/encode-plan.js';
import { type CopyPlan, isContiguous } from '../../plan/plan-copy.js';
import {
  type CapsuleContents,
  type CapsuleRules,
  capsuleContents,
  describeCapsule,
} from '../interface/capsule.js';
import type { GroupLimits, Launch, Staging, Use } from '../interface/driver.js';
import type { BufferMapping } from '../interface/mapped-buffers.js';
import type { BackendIdentity } from '../interface/memory.js';
import type { EmptyOptions } from '../interface/options.js';
import type { BackendQueue } from '../interface/queue.js';
import { BuiltKernels } from '../launch/built-kernels.js';
import { groupFor } from '../launch/grid.js';
import type { DeviceAddon, KernelHandle, MemoryHandle } from './addon.js';
import type { DeviceMemory } from './memory.js';
import type { DeviceQueue } from './queue.js';
import { DeviceStaging } from './staging.js';

/** Items of a group if the launch names no group: a few warps, which suits every device. */
const USUAL_GROUP = 256;

/** The code of a kernel as an addon takes it, and the name of its function. */
export interface DeviceCode {
  /** The bytes. */
  readonly code: Uint8Array;
  /** The name of the function. */
  readonly name: string;
  /** See `GroupLimits.required`. */
  readonly group?: readonly number[] | undefined;
}

/**
 * The part of a `Driver` that backends share whose addon has the functions of `DeviceAddon`. Core
 * passes it memory of its backend, and any queue that a user named.
 */
export abstract class DeviceDriver<M extends DeviceMemory, Q extends DeviceQueue, Device> {
  /** A device works while the calling thread goes on. */
  readonly isSynchronous = false;
  /** The backend that owns the memory. */
  protected readonly backend: BackendIdentity;
  readonly #built = new BuiltKernels<KernelHandle>();
  readonly #limits = new WeakMap<KernelHandle, GroupLimits>();
  readonly #required = new WeakMap<KernelHandle, readonly number[]>();

  constructor(backend: BackendIdentity) {
    this.backend = backend;
  }

  /** The addon with its driver loaded. Throws ERR_BACKEND_UNAVAILABLE. */
  abstract get addon(): DeviceAddon<Device>;

  /** Which capsules the backend accepts. */
  protected abstract readonly capsules: CapsuleRules;

  /** Returns the queue as this backend's own. Throws ERR_ARGUMENT for another backend's queue. */
  protected abstract readonly own: (queue: BackendQueue) => Q;

  /** Returns the device that the options name. Throws ERR_ARGUMENT. */
  protected abstract deviceFor(options: EmptyOptions): Device;

  /** Returns the device that kernels on the queue are built for. */
  protected abstract deviceOf(queue: Q): Device;

  /**
   * Returns the object that stands for this device among all that kernels are built for. Their
   * builds end with it.
   */
  protected abstract targetOf(queue: Q): object;

  /** Returns the array of a capsule with the stream or queue that work on it follows. */
  protected abstract readonly withOrder: (
    array: ArrayDescriptor,
    contents: CapsuleContents,
  ) => ArrayDescriptor;

  /** Allocates memory that the queue and this process can access. */
  protected abstract allocateStaging(byteLength: number, queue: Q, timeout: number): M;

  /** Reads and checks a kernel's code. Throws ERR_KERNEL. */
  protected abstract readonly readKernel: (kernel: Kernel, signature: Signature) => DeviceCode;

  /** Queries the limits of a group of a built kernel. */
  protected abstract readonly kernelLimits: (kernel: KernelHandle) => GroupLimits;

  /** Returns the size of a launch as the addon reads it, before the next launch. */
  protected abstract readonly launchShape: (launch: Launch) => Uint8Array;

  /** See `Driver.returned`. */
  returned(): number {
    return this.addon.returned();
  }

  /** See `Driver.memoryReturned`. */
  async memoryReturned(options: EmptyOptions, returned: number): Promise<boolean> {
    await this.addon.memoryReturned(this.deviceFor(options), returned);
    return this.addon.returned() !== returned;
  }

  /** See `Driver.readCapsule`. */
  readCapsule(capsule: object): ArrayDescriptor | null {
    const contents = this.addon.importCapsule(capsule, capsuleContents);
    if (contents === null) return null;
    return this.withOrder(describeCapsule(contents, this.capsules), contents);
  }

  /** See `Driver.enqueue`. */
  enqueue(queue: BackendQueue, plan: CopyPlan, target: M, origin: M): void | Promise<void> {
    const { native } = this.own(queue);
    const { destination, source, nbytes } = plan;
    return isContiguous(plan)
      ? this.addon.copyRun(native, destination, source, nbytes, target.native, origin.native)
      : this.addon.copy(native, encodePlan(plan), target.native, origin.native);
  }

  /** See `Driver.stage`. */
  stage(byteLength: number, queue: BackendQueue, timeout: number): Staging {
    const memory = this.allocateStaging(byteLength, this.own(queue), timeout);
    return new DeviceStaging(memory, this.addon);
  }

  /** See `Driver.settle`. */
  async settle(queue: BackendQueue, memory: M): Promise<void> {
    await this.addon.settle(memory.native, this.own(queue).native);
  }

  /** See `Driver.peek`. */
  peek(memory: M, plan: CopyPlan, bytes: Uint8Array): boolean {
    if (!memory.isOwn || memory.hostOffset === null) return false;
    const source = plan.source - memory.pointer;
    return this.addon.peek(memory.native, encodePlan({ ...plan, source }), bytes);
  }

  /** See `Driver.mapBuffer`. */
  mapBuffer(memory: M, address: bigint, byteLength: number): BufferMapping | null {
    const { addon } = this;
    const { native, producer } = memory;
    const made = addon.mapBuffer(native, address, byteLength);
    if (made === null) return null;
    const { buffer, mapped } = made;
    return { buffer, end: () => addon.unmapBuffer(mapped, buffer, producer) };
  }

  /** See `Driver.groupOf`. */
  groupOf(range: readonly number[], { items }: GroupLimits): readonly number[] {
    return groupFor(range, Math.min(items, USUAL_GROUP));
  }

  /** Queries the limits once for each kernel. */
  groupLimits(_queue: BackendQueue, built: KernelHandle): GroupLimits {
    const known = this.#limits.get(built);
    if (known !== undefined) return known;
    const limits = { ...this.kernelLimits(built), required: this.#required.get(built) };
    this.#limits.set(built, limits);
    return limits;
  }

  /** See `Driver.build`. */
  build(
    kernel: Kernel,
    signature: Signature,
    queue: BackendQueue,
  ): KernelHandle | Promise<KernelHandle> {
    const own = this.own(queue);
    return this.#built.get(
      kernel,
      this.targetOf(own),
      () => this.#load(kernel, signature, own),
      (handle) => this.addon.kernelLoaded(handle),
    );
  }

  #load(kernel: Kernel, signature: Signature, queue: Q): KernelHandle {
    const { code, name, group } = this.readKernel(kernel, signature);
    const types = new Uint8Array(Uint32Array.from(signature.types).buffer);
    const handle = this.addon.loadKernel(this.deviceOf(queue), code, name, types);
    if (group !== undefined) this.#required.set(handle, group);
    return handle;
  }

  /** See `Driver.launch`. */
  launch(queue: BackendQueue, built: KernelHandle, launch: Launch<M>): void | Promise<void> {
    const [written, read] = handlesOf(launch.uses);
    const shape = this.launchShape(launch);
    return this.addon.launch(this.own(queue).native, built, shape, launch.values, written, read);
  }

  /** See `Driver.before`. */
  before(queue: BackendQueue, uses: readonly Use<M>[]): void {
    this.addon.beginExternalWork(this.own(queue).native, ...handlesOf(uses));
  }

  /** See `Driver.after`. */
  after(queue: BackendQueue, uses: readonly Use<M>[]): void | Promise<void> {
    return this.addon.endExternalWork(this.own(queue).native, ...handlesOf(uses));
  }
}

/** Splits uses into memories that are written and those that are only read. */
function handlesOf(
  uses: readonly Use<DeviceMemory>[],
): readonly [written: readonly MemoryHandle[], read: readonly MemoryHandle[]] {
  const written: MemoryHandle[] = [];
  const read: MemoryHandle[] = [];
  for (const { memory, writes } of uses) (writes ? written : read).push(memory.native);
  return [written, read];
}
