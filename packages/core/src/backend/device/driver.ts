import type { Kernel } from '../../kernel/kernel.js';
import type { Signature } from '../../kernel/signature.js';
import { type CopyPlan, isContiguous } from '../../plan/plan-copy.js';
import type { GroupLimits, Launch, Use } from '../interface/driver.js';
import type { BufferMapping } from '../interface/mapped-buffers.js';
import type { BackendIdentity, Memory } from '../interface/memory.js';
import type { BackendQueue } from '../interface/queue.js';
import { BuiltKernels } from '../launch/built-kernels.js';
import { groupFor } from '../launch/grid.js';
import type { DeviceAddon, KernelHandle, MemoryHandle, QueueHandle } from './addon.js';
import type { DeviceMemory } from './memory.js';

/** Items of a group if the launch names no group: a few warps, which suits every device. */
const USUAL_GROUP = 256;

/** The part of a `Driver` that backends share whose addon has the functions of `DeviceAddon`. */
export abstract class DeviceDriver {
  /** A device works while the calling thread goes on. */
  readonly isSynchronous = false;
  /** The backend that owns the memory. */
  protected readonly backend: BackendIdentity;
  readonly #built = new BuiltKernels<number, KernelHandle>();
  readonly #limits = new WeakMap<object, GroupLimits>();

  constructor(backend: BackendIdentity) {
    this.backend = backend;
  }

  /** The addon with its driver loaded. Throws ERR_BACKEND_UNAVAILABLE. */
  protected abstract get addon(): DeviceAddon;

  /** Returns the native queue. Throws ERR_ARGUMENT for another backend's queue. */
  protected abstract nativeOf(queue: BackendQueue): QueueHandle;

  /** Returns the number of what kernels are built for: a device, or a device in a context. */
  protected abstract targetOf(queue: BackendQueue): number;

  /** Checks a kernel's code, and starts to build it on another thread. Throws ERR_KERNEL. */
  protected abstract loadKernel(
    kernel: Kernel,
    signature: Signature,
    queue: BackendQueue,
  ): KernelHandle;

  /** Queries the limits of a group of a built kernel. */
  protected abstract kernelLimits(kernel: KernelHandle): GroupLimits;

  /** Returns the size of a launch as the addon reads it, before the next launch. */
  protected abstract launchShape(launch: Launch): Uint8Array;

  /** See `Driver.returned`. */
  returned(): number {
    return this.addon.returned();
  }

  /** See `Driver.enqueue`. */
  enqueue(
    queue: BackendQueue,
    plan: CopyPlan,
    target: Memory,
    origin: Memory,
  ): void | Promise<void> {
    const native = this.nativeOf(queue);
    const into = (target as DeviceMemory).native;
    const outOf = (origin as DeviceMemory).native;
    const { destination, source, nbytes } = plan;
    return isContiguous(plan)
      ? this.addon.copyRun(native, destination, source, nbytes, into, outOf)
      : this.addon.copy(native, plan, into, outOf);
  }

  /** See `Driver.settle`. */
  async settle(queue: BackendQueue, memory: Memory): Promise<void> {
    await this.addon.settle((memory as DeviceMemory).native, this.nativeOf(queue));
  }

  /** See `Driver.mapBuffer`. */
  mapBuffer(memory: Memory, address: bigint, byteLength: number): BufferMapping | null {
    const { addon } = this;
    const { native, producer } = memory as DeviceMemory;
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
  groupLimits(_queue: BackendQueue, built: object): GroupLimits {
    const known = this.#limits.get(built);
    if (known !== undefined) return known;
    const limits = this.kernelLimits(built as KernelHandle);
    this.#limits.set(built, limits);
    return limits;
  }

  /** See `Driver.build`. */
  build(
    kernel: Kernel,
    signature: Signature,
    queue: BackendQueue,
  ): KernelHandle | Promise<KernelHandle> {
    return this.#built.get(
      kernel,
      this.targetOf(queue),
      () => this.loadKernel(kernel, signature, queue),
      (handle) => this.addon.kernelLoaded(handle),
    );
  }

  /** See `Driver.launch`. */
  launch(queue: BackendQueue, built: object, launch: Launch): void | Promise<void> {
    const kernel = built as KernelHandle;
    const [written, read] = handlesOf(launch.uses);
    const shape = this.launchShape(launch);
    return this.addon.launch(this.nativeOf(queue), kernel, shape, launch.values, written, read);
  }

  /** See `Driver.before`. */
  before(queue: BackendQueue, uses: readonly Use[]): void {
    this.addon.beginExternalWork(this.nativeOf(queue), ...handlesOf(uses));
  }

  /** See `Driver.after`. */
  after(queue: BackendQueue, uses: readonly Use[]): void | Promise<void> {
    return this.addon.endExternalWork(this.nativeOf(queue), ...handlesOf(uses));
  }
}

/** Splits uses into memories that are written and those that are only read. */
function handlesOf(
  uses: readonly Use[],
): readonly [written: readonly MemoryHandle[], read: readonly MemoryHandle[]] {
  const written: MemoryHandle[] = [];
  const read: MemoryHandle[] = [];
  for (const { memory, writes } of uses) {
    (writes ? written : read).push((memory as DeviceMemory).native);
  }
  return [written, read];
}
