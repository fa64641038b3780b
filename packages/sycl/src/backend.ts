import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import {
  type Availability,
  abortable,
  BaseBackend,
  type BorrowOptions,
  type CopyPlan,
  type Device,
  type EmptyOptions,
  type Memory,
  type PointerInfo,
  type Queue,
  type QueueOptions,
  type Staging,
  type WaitOptions,
} from '@array-interface/core/backend';
import type { UsmType } from './addon.js';
import { SyclArray } from './array.js';
import { borrow } from './borrow.js';
import { AllocatedMemory, KINDS, type SyclMemory } from './memory.js';
import { ownQueue, SyclQueue } from './queue.js';
import { findRuntime, runtime } from './runtime.js';
import { SyclStaging } from './staging.js';

/** A SYCL device. */
export interface SyclDevice extends Device {
  /** The filter selector that names it to every SYCL program: `opencl:cpu:0`. */
  readonly selector: string;
}

export interface SyclQueueOptions extends QueueOptions {
  /** Whether the native queue runs one command at a time; default true. Order is kept either way. */
  readonly inOrder?: boolean;
}

const HOST: UsmType = 3;

/** SYCL USM memory through dpctl's C library, which is loaded when something first needs it. */
export class SyclBackend extends BaseBackend<SyclArray> {
  readonly name = 'sycl';
  readonly protocol = 'sycl';
  /** One queue for each device, for work that names none. */
  readonly #queues = new Map<number, SyclQueue>();

  get availability(): Availability {
    return findRuntime();
  }

  devices(): readonly SyclDevice[] {
    return runtime().devices();
  }

  inspectPointer(pointer: bigint): PointerInfo {
    const { type, device } = runtime().find(pointer);
    const allocation = type === 0 ? null : runtime().rangeOf(pointer);
    const memoryKind = KINDS[type] as PointerInfo['memoryKind'];
    return { memoryKind, device, allocation, hostAccessible: type > 1 };
  }

  createQueue(options: SyclQueueOptions = {}): SyclQueue {
    const { device = 0, inOrder = true } = options;
    return new SyclQueue(runtime().createQueue(device, inOrder), device);
  }

  synchronize(options: WaitOptions = {}): Promise<void> {
    return abortable(runtime().synchronize(), options.signal);
  }

  /** The queue that stands for a memory in SUAI: whoever waits for it has waited for all. @internal */
  exportedQueue(memory: SyclMemory): SyclQueue {
    const fallback = memory.homeQueue ?? this.defaultQueue(memory);
    return ownQueue(memory.exportQueue(fallback)) as SyclQueue;
  }

  protected allocate(byteLength: number, options: EmptyOptions): AllocatedMemory {
    const home = ownQueue(options.queue);
    const device = options.device ?? home?.device ?? 0;
    if (home !== null && home.device !== device) {
      throw new ArrayInterfaceError(
        'ERR_ARGUMENT',
        'device',
        `expected the queue's device ${home.device}, got ${device}; name one of the two`,
      );
    }
    const type = usmType(options.memoryKind ?? 'device');
    return new AllocatedMemory(this, device, type, byteLength, home);
  }

  protected borrow(array: ArrayDescriptor, options: BorrowOptions): SyclMemory {
    return borrow(this, array, options);
  }

  protected wrap(memory: Memory, descriptor: ArrayDescriptor): SyclArray {
    return new SyclArray(memory as SyclMemory, descriptor);
  }

  protected stage(byteLength: number, queue: Queue): Staging {
    return new SyclStaging(new AllocatedMemory(this, queue.device, HOST, byteLength, null));
  }

  protected defaultQueue(memory: Memory): SyclQueue {
    const { device } = memory as SyclMemory;
    const known = this.#queues.get(device);
    if (known !== undefined) return known;
    const made = this.createQueue({ device });
    this.#queues.set(device, made);
    return made;
  }

  protected enqueue(queue: Queue, plan: CopyPlan): void {
    (ownQueue(queue) as SyclQueue).enqueue(plan);
  }
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
