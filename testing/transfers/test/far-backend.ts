import {
  type ArrayDescriptor,
  type ArrayInterface,
  ArrayInterfaceError,
  type Backend,
  type BackendArray as Base,
  type BorrowOptions,
  type EmptyOptions,
  toArrayInterface,
  type WaitOptions,
} from '@array-interface/core';
import {
  BackendArray,
  type BackendQueue,
  BaseBackend,
  type CopyPlan,
  type DeviceInfo,
  type Driver,
  type GroupLimits,
  internals,
  Memory,
  memoryOf,
  type PointerInfo,
  type Reach,
  readSignal,
  type Staging,
  throwIfAborted,
} from '@array-interface/core/backend';
import { FarQueue, FarWork, run } from './far-work.js';

/** Memory of a far place, which nothing in this process can access by its address. */
class FarMemory extends Memory {
  readonly memoryKind = 'device';
  readonly hostOffset = null;
  readonly pointer: bigint;
  readonly backend: Backend;
  readonly place: FarPlace;
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(backend: Backend, place: FarPlace, lent: FarMemory | number) {
    super();
    this.backend = backend;
    this.place = place;
    const isNew = typeof lent === 'number';
    this.bytes = isNew ? new Uint8Array(lent) : lent.bytes;
    this.pointer = isNew ? place.takeAddresses(lent) : lent.pointer;
    place.live.add(this);
  }

  get allocation() {
    return { pointer: this.pointer, byteLength: this.bytes.byteLength };
  }

  protected workEnded(): Promise<void> {
    return this.place.work.ended();
  }

  recordUse(): void {}

  protected free(): void {
    this.place.live.delete(this);
  }
}

class FarPlace {
  readonly work: FarWork = new FarWork();
  readonly live = new Set<FarMemory>();
  #next = 0x5000_0000_0000n;

  takeAddresses(byteLength: number): bigint {
    const pointer = this.#next;
    this.#next += BigInt(Math.ceil(byteLength / 4096) + 1) * 4096n;
    return pointer;
  }

  find(address: bigint): FarMemory | undefined {
    return [...this.live].find(
      ({ pointer, bytes }) => address >= pointer && address < pointer + BigInt(bytes.length),
    );
  }
}

class FarArray extends BackendArray {
  get __array_interface__(): ArrayInterface {
    return toArrayInterface(this.descriptor);
  }

  protected over(descriptor: ArrayDescriptor, base: Base): FarArray {
    return new FarArray(this.memory, descriptor, base);
  }
}

/** A driver that works later, or at once. It runs no kernels. */
class FarDriver implements Driver<FarArray> {
  readonly launchLimits = { items: 2 ** 31, groups: [2 ** 31, 2 ** 31, 2 ** 31] };
  readonly isSynchronous: boolean;
  readonly place: FarPlace = new FarPlace();
  readonly #backend: Backend;
  readonly #queue = new FarQueue(this.place.work);

  constructor(backend: Backend, isSynchronous: boolean) {
    this.#backend = backend;
    this.isSynchronous = isSynchronous;
  }

  allocate(byteLength: number, { memoryKind = 'device' }: EmptyOptions): FarMemory {
    if (memoryKind === 'device') return new FarMemory(this.#backend, this.place, byteLength);
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      'memoryKind',
      `expected device, got ${memoryKind}`,
    );
  }

  returned(): number {
    return 0;
  }

  async memoryReturned(): Promise<boolean> {
    return false;
  }

  borrow(array: ArrayDescriptor, _options: BorrowOptions): FarMemory {
    const own = memoryOf(array.owner);
    const lent = own instanceof FarMemory ? own : this.place.find(array.pointer);
    if (lent === undefined) {
      const message = `expected memory of the far place, got 0x${array.pointer.toString(16)}`;
      throw new ArrayInterfaceError('ERR_POINTER_UNKNOWN', 'data[0]', message);
    }
    const loan = new FarMemory(this.#backend, this.place, lent);
    try {
      internals(loan).assertHolds(array, 'data[0]');
      return loan;
    } catch (error) {
      internals(loan).end();
      throw error;
    }
  }

  wrap(memory: Memory, descriptor: ArrayDescriptor, base: FarArray | null): FarArray {
    return new FarArray(memory, descriptor, base);
  }

  defaultQueue(): BackendQueue {
    return this.#queue;
  }

  enqueue(_queue: BackendQueue, plan: CopyPlan, target: Memory, origin: Memory): void {
    const [to, from] = [own(target), own(origin)];
    const task = () => run(plan, to, from);
    if (this.isSynchronous) task();
    else this.place.work.give(task);
  }

  stage(byteLength: number): Staging {
    const memory = this.allocate(byteLength, {});
    const based = { pointer: 0n, bytes: memory.bytes };
    const at = (bytes: Uint8Array) => ({ pointer: 0n, bytes: bytes as Uint8Array<ArrayBuffer> });
    return {
      ...{ memory, pointer: memory.pointer },
      read: (plan, bytes) => run(plan, based, at(bytes)),
      write: (plan, bytes) => run(plan, at(bytes), based),
    };
  }

  async settle(_queue: BackendQueue, memory: Memory): Promise<void> {
    await own(memory).synchronize();
  }

  mapBuffer(): null {
    return null;
  }

  import(): null {
    return null;
  }

  reach(queue: BackendQueue, memory: Memory): Reach {
    if (!(queue instanceof FarQueue)) {
      throw new ArrayInterfaceError('ERR_ARGUMENT', 'queue', 'expected a far queue, got another');
    }
    own(memory);
    return 'kernels';
  }

  groupOf(range: readonly number[]): readonly number[] {
    return range.map(() => 1);
  }

  groupLimits(): GroupLimits {
    throw noKernels();
  }

  build(): object {
    throw noKernels();
  }

  launch(): void {
    throw noKernels();
  }

  before(_queue: BackendQueue, uses: readonly { readonly memory: Memory }[]): void {
    for (const { memory } of uses) own(memory);
  }

  after(): void {}

  within<T>(_queue: BackendQueue, _uses: readonly object[], work: () => T): T {
    return work();
  }
}

/** Core must hand a driver only its own memory: it would read another's as if it were. */
function own(memory: Memory): FarMemory {
  if (memory instanceof FarMemory) return memory;
  throw new Error(`expected memory of the far place, got ${memory.constructor.name}`);
}

function noKernels(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_KERNEL',
    null,
    'expected a backend with kernels, got a far one',
  );
}

/** A backend whose memory no other backend can access. Core copies it through JavaScript. */
export class FarBackend extends BaseBackend<FarArray, FarDriver> {
  readonly name = 'far';
  readonly protocol = 'host';
  readonly availability = { available: true, library: 'this file', version: '0' } as const;

  constructor({ isSynchronous = false } = {}) {
    super((backend) => new FarDriver(backend, isSynchronous));
  }

  get liveAllocations(): number {
    return this.driver.place.live.size;
  }

  devices(): readonly DeviceInfo[] {
    const driverVersion = '0';
    const device = { index: 0, handle: 0n, name: 'far', type: 'cpu', driverVersion };
    return [{ ...device, memory: 2 ** 30, limitation: null }];
  }

  inspectPointer(pointer: bigint): PointerInfo {
    const found = this.driver.place.find(pointer);
    const isFound = found !== undefined;
    return {
      memoryKind: isFound ? 'device' : 'unknown',
      device: isFound ? 0 : null,
      allocation: found?.allocation ?? null,
      hostAccessible: false,
    };
  }

  createQueue(): FarQueue {
    return new FarQueue(this.driver.place.work);
  }

  async synchronize(options: WaitOptions = {}): Promise<void> {
    throwIfAborted(readSignal(options));
    await this.driver.place.work.ended();
  }

  async whenKernelsReady(options: WaitOptions = {}): Promise<void> {
    throwIfAborted(readSignal(options));
  }
}
