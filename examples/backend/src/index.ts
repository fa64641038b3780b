import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import {
  type ArrayDescriptor,
  type ArrayInterface,
  ArrayInterfaceError,
  fromArrayInterface,
  type OwnProtocol,
  type TypedArray,
  toArrayInterface,
} from '@array-interface/core';
import {
  type Allocation,
  type ArrayCapsule,
  type Availability,
  BackendArray,
  type BackendQueue,
  type BufferMapping,
  type CapsuleContents,
  type CapsuleFields,
  type CopyPlan,
  capsuleContents,
  capsuleFields,
  type DeviceInfo,
  describeCapsule,
  ImportedCapsule,
  internals,
  type Kernel,
  type Launch,
  lazyAddon,
  type Memory,
  type NativeAddon,
  readCode,
  SynchronousBackend,
  SynchronousDriver,
  SynchronousMemory,
  typedArray,
  type Use,
} from '@array-interface/core/backend';

type Handle = { readonly pages: unique symbol };
type PagesRef = Allocation & { readonly handle: Handle };

interface Addon extends NativeAddon {
  allocate(byteLength: number): PagesRef | null;
  hold(pointer: bigint): PagesRef | null;
  release(handle: Handle): void;
  liveAllocations(): number;
  moveBytes(plan: CopyPlan, to: Uint8Array | null, from: Uint8Array | null): void;
  exportCapsule(handle: Handle, ...fields: CapsuleFields): ArrayCapsule;
  importCapsule(capsule: object, contents: typeof capsuleContents): CapsuleContents | null;
  mapBuffer(handle: Handle, address: bigint, byteLength: number, keeps: boolean): ArrayBuffer;
  detach(buffer: ArrayBuffer): void;
}

const native = lazyAddon<Addon>('the addon of the example', {
  name: 'pages',
  built: `${import.meta.dirname}/../build/Release/`,
  targets: [],
  require: createRequire(import.meta.url),
});

/** DLPack's device of system memory, and the capsules that are taken: nothing may be pending. */
const CPU = { type: 1, id: 0 };
const CAPSULES = { devices: [CPU.type], memory: 'host memory', orders: [0] };

class PagesMemory extends SynchronousMemory {
  readonly memoryKind = 'pageable';
  readonly hostOffset = 0n;
  readonly handle: Handle;

  constructor(
    driver: PagesDriver,
    { handle, ...allocation }: PagesRef,
    queue: BackendQueue | null,
    producer: unknown,
  ) {
    super(driver.backend, allocation, queue, producer);
    this.handle = handle;
  }

  protected override makeCapsule(array: ArrayDescriptor): ArrayCapsule {
    return native.get().exportCapsule(this.handle, ...capsuleFields(array, CPU));
  }

  protected free(): void {
    native.get().release(this.handle);
  }
}

/** NumPy's dict under an attribute of this backend. */
const protocol: OwnProtocol = {
  attribute: '__pages_array_interface__',
  read: fromArrayInterface,
  write: toArrayInterface,
};

export class PagesArray extends BackendArray {
  get __pages_array_interface__(): ArrayInterface {
    const { descriptor } = this;
    internals(this.memory).assertHolds(descriptor, 'array');
    return toArrayInterface(descriptor);
  }

  protected over(descriptor: ArrayDescriptor, base: PagesArray): PagesArray {
    return new PagesArray(this.memory, descriptor, base);
  }
}

/** A kernel: what it gets for its arrays, and 8 bytes for each value. */
export type PagesKernel = (
  arrays: readonly { readonly elements: TypedArray; readonly offset: number }[],
  values: DataView,
  range: readonly number[],
) => void;

/** What buffers keep that were detached, while Node's thread pool may have their addresses. */
const producers = new WeakMap<ArrayBuffer, object>();

class PagesDriver extends SynchronousDriver<PagesArray> {
  readonly memoryKind = 'pageable';

  protected newMemory(byteLength: number, queue: BackendQueue | null): PagesMemory | null {
    const pages = native.get().allocate(byteLength);
    return pages && new PagesMemory(this, pages, queue, null);
  }

  protected memoryAt(pointer: bigint, producer: unknown): PagesMemory | null {
    const pages = native.get().hold(pointer);
    // A capsule's reference is needed until there is this one.
    if (producer instanceof ImportedCapsule) native.get().release(producer.handle as Handle);
    return pages && new PagesMemory(this, pages, null, producer);
  }

  protected moveBytes(plan: CopyPlan, to: Uint8Array | null, from: Uint8Array | null): void {
    native.get().moveBytes(plan, to, from);
  }

  wrap(memory: Memory, descriptor: ArrayDescriptor, base: PagesArray | null): PagesArray {
    return new PagesArray(memory, descriptor, base);
  }

  override mapBuffer(memory: Memory, address: bigint, byteLength: number): BufferMapping {
    const { handle, producer } = memory as PagesMemory;
    const buffer = native.get().mapBuffer(handle, address, byteLength, true);
    const end = () => {
      if (producer !== null) producers.set(buffer, producer as object);
      native.get().detach(buffer);
    };
    return { buffer, end };
  }

  override build(kernel: Kernel): { readonly run: PagesKernel } {
    const { value } = readCode(kernel, 'pages', ['run']);
    if (typeof value === 'function') return { run: value as PagesKernel };
    throw new ArrayInterfaceError('ERR_KERNEL', 'code.pages.run', 'expected a function, got none');
  }

  override launch(_queue: BackendQueue, built: object, launch: Launch): void {
    const { values, range, uses, arrays } = launch;
    const buffers: ArrayBuffer[] = [];
    const elementsOf = (
      { pointer, extent: [low, high], dtype }: ArrayDescriptor,
      index: number,
    ) => {
      const { handle } = (uses[index] as Use).memory as PagesMemory;
      const start = pointer + BigInt(low);
      const buffer = native.get().mapBuffer(handle, start, high - low, false);
      buffers.push(buffer);
      const elements = typedArray(buffer, dtype);
      return { elements, offset: -low / elements.BYTES_PER_ELEMENT };
    };
    try {
      const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
      (built as { run: PagesKernel }).run(arrays.map(elementsOf), view, range);
    } finally {
      for (const buffer of buffers) native.get().detach(buffer);
    }
  }

  readCapsule(capsule: object): ArrayDescriptor | null {
    const contents = native.get().importCapsule(capsule, capsuleContents);
    return contents && describeCapsule(contents, CAPSULES);
  }
}

class PagesBackend extends SynchronousBackend<PagesArray, PagesDriver> {
  readonly name = 'pages';
  readonly protocol: OwnProtocol = protocol;

  constructor() {
    super((backend) => new PagesDriver(backend));
  }

  get availability(): Availability {
    const found = native.find();
    return found.available ? { available: true, library: 'built in', version: '1' } : found;
  }

  devices(): readonly DeviceInfo[] {
    native.get();
    const own = { index: 0, handle: 0n, name: 'memory', type: 'cpu', driverVersion: '1' } as const;
    return [{ ...own, memory: totalmem(), limitation: null }];
  }
}

/** The backend of memory from mmap. */
export const pages: PagesBackend = new PagesBackend();

export function liveAllocations(): number {
  return native.get().liveAllocations();
}
