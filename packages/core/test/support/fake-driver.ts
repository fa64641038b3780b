import { afterEach, expect } from 'vitest';
import {
  BackendArray,
  type BackendQueue,
  BaseBackend,
  type BufferMapping,
  type CopyPlan,
  type DeviceInfo,
  type Driver,
  type GroupLimits,
  type ImportedMemory,
  internals,
  isContiguous,
  type Kernel,
  type Launch,
  type LaunchLimits,
  Memory,
  type QueueEvent,
  type Reach,
  type Signature,
  type Staging,
  type Use,
} from '../../src/backend/index.js';
import { BackendQueue as AnyQueue } from '../../src/backend/interface/queue.js';
import { replace } from '../../src/descriptor/descriptor.js';
import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type Backend,
  type EmptyOptions,
} from '../../src/index.js';

/** The drivers of the test that runs. */
const drivers = new Set<FakeDriver>();

// What a call retained is released when it settles, not by the garbage collector: nothing here ends what
// is not ended explicitly.
afterEach(() => {
  const kept = [...drivers].flatMap((driver) => driver.kept);
  drivers.clear();
  expect(kept, 'what calls that have ended still keep').toEqual([]);
});

const reached: QueueEvent = {
  query: () => true,
  synchronize: async () => {},
  synchronizeSync() {},
};

/** A queue of a context; records what is requested. */
export class FakeQueue extends AnyQueue {
  readonly handle = 0n;
  readonly device: number;
  readonly name: string;
  destroyed = false;
  readonly #log: string[];

  constructor(name: string, place: number, log: string[]) {
    super();
    this.name = name;
    this.device = place;
    this.#log = log;
  }

  record(): QueueEvent {
    internals(this).assertEnqueued(); // as every backend's
    this.#log.push(`${this.name} records`);
    return Object.assign({ of: this.name }, reached);
  }

  wait(event: QueueEvent): void {
    this.#log.push(`${this.name} waits for ${(event as QueueEvent & { of: string }).of}`);
  }

  protected destroy(): void {
    this.destroyed = true;
    this.#log.push(`${this.name} ends`);
  }
}

/** Bytes at an address that nobody else has. */
export class FakeMemory extends Memory {
  readonly backend: Backend;
  readonly memoryKind = 'device';
  hostOffset: bigint | null = null;
  readonly pointer: bigint;
  readonly allocation: { readonly pointer: bigint; readonly byteLength: number };
  readonly bytes: Uint8Array;
  readonly place: number;
  readonly name: string;
  readonly driver: FakeDriver;
  freed = false;
  /** What waits for this memory wait for. */
  ending: Promise<void> = Promise.resolve();

  constructor(
    driver: FakeDriver,
    place: number,
    bytes: Uint8Array,
    home: BackendQueue | null,
    of = 'm',
  ) {
    super(home);
    this.driver = driver;
    this.backend = driver.backend;
    this.place = place;
    this.bytes = bytes;
    this.pointer = nextPointer(bytes.length);
    this.allocation = { pointer: this.pointer, byteLength: bytes.length };
    this.name = `${of}${driver.made++}`;
    driver.live.add(this);
  }

  protected async workEnded(): Promise<void> {
    this.driver.log.push(`wait for ${this.name}`);
    this.driver.begins();
    await this.ending;
    this.driver.ends();
  }

  recordUse(queue: BackendQueue): void {
    this.driver.log.push(`${(queue as FakeQueue).name} uses ${this.name}`);
  }

  protected free(): void {
    this.freed = true;
    this.driver.live.delete(this);
  }
}

export class FakeArray extends BackendArray {
  protected over(descriptor: ArrayDescriptor, base: BackendArray): FakeArray {
    return new FakeArray(this.memory, descriptor, base);
  }
}

let next = 1n << 20n;

function nextPointer(byteLength: number): bigint {
  const pointer = next;
  next += BigInt(byteLength + 64) & ~63n;
  return pointer;
}

/** A driver of several places, each with a queue; places of one context copy runs to one another. */
export class FakeDriver implements Driver<FakeArray> {
  readonly isSynchronous: boolean = false;
  readonly log: string[] = [];
  readonly live = new Set<FakeMemory>();
  readonly queues: FakeQueue[];
  /** Bytes that all memory may have together. */
  capacity = Number.POSITIVE_INFINITY;
  /** What `memoryReturned` answers, one after the other; then false. */
  returns: (() => Promise<boolean>)[] = [];
  /** Whether it has said that no memory is on its way. */
  isOut = false;
  /** Whose memory can be imported. */
  reaches: (memory: Memory) => boolean = () => false;
  /** How much one launch can do. */
  launchLimits: LaunchLimits = { items: 2 ** 31, groups: [2 ** 31, 2 ** 16, 2 ** 16] };
  /** What groups can be. */
  limitsOfGroups: GroupLimits = {
    items: 2 ** 31,
    axes: [2 ** 31, 2 ** 31, 2 ** 31],
    localBytes: 2 ** 32,
  };
  /** What `build` returns. */
  builds: (kernel: Kernel, types: readonly number[], queue: FakeQueue) => object | Promise<object> =
    (kernel) => kernel;
  /** What `launch` does. */
  launches: (queue: FakeQueue, built: object, launch: Launch) => void | Promise<void> = () => {};
  /** Whether it makes buffers over memory. */
  exposes = true;
  contexts: readonly number[];
  made = 0;
  /** The number of the `enqueue` that fails, counted from 1. */
  fails = 0;
  enqueued = 0;
  /** Called before it does something, and may have that fail. */
  begins = () => {};
  /** Called when it has done something for which a call may wait. */
  ends = () => {};
  backend!: Backend;

  /** Queues that were made for a test. */
  readonly madeQueues: FakeQueue[] = [];

  constructor(contexts: readonly number[] = [0]) {
    drivers.add(this);
    this.contexts = contexts;
    this.queues = contexts.map((_, place) => new FakeQueue(`q${place}`, place, this.log));
  }

  /** Staging, imported memory, and what was disposed of and is still held. */
  get kept(): string[] {
    const isTaken = ({ name, ended }: FakeMemory) => ended || /^[is]/.test(name);
    const memories = [...this.live].filter(isTaken).map(({ name }) => name);
    const queues = this.madeQueues.filter(({ disposed, destroyed }) => disposed && !destroyed);
    return [...memories, ...queues.map(({ name }) => name)];
  }

  /** What was logged since the last time. */
  taken(): string[] {
    return this.log.splice(0);
  }

  allocate(byteLength: number, options: EmptyOptions, timeout: number): FakeMemory {
    this.#take(byteLength, 'allocate', timeout);
    const { queue = null, device = 0 } = options;
    return new FakeMemory(this, queue?.device ?? device, new Uint8Array(byteLength), queue);
  }

  #take(byteLength: number, what: string, timeout: number): void {
    this.begins();
    this.log.push(`${what} ${byteLength}${timeout > 0 ? ' with a timeout' : ''}`);
    const used = [...this.live].reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (used + byteLength <= this.capacity) return;
    throw new ArrayInterfaceError('ERR_OUT_OF_MEMORY', null, 'expected memory, got none');
  }

  returned(): number {
    return 0;
  }

  async memoryReturned(options: EmptyOptions): Promise<boolean> {
    this.log.push(`memoryReturned ${options.memoryKind ?? ''}`.trim());
    const next = this.returns.shift();
    if (next !== undefined) return next();
    if (this.isOut) throw new Error('asked for memory again where none is on its way');
    this.isOut = true;
    return false;
  }

  borrow(array: ArrayDescriptor): FakeMemory {
    const lender = array.owner as FakeMemory;
    if (!(lender instanceof FakeMemory)) {
      throw new ArrayInterfaceError('ERR_POINTER_UNKNOWN', 'data[0]', 'expected ours, got another');
    }
    const loan = new FakeMemory(this, lender.place, lender.bytes, null, 'loan');
    return Object.assign(loan, { pointer: lender.pointer, allocation: lender.allocation });
  }

  wrap(memory: Memory, descriptor: ArrayDescriptor, base: FakeArray | null): FakeArray {
    return new FakeArray(memory, descriptor, base);
  }

  defaultQueue(memory: Memory): FakeQueue {
    return this.queues[(memory as FakeMemory).place] as FakeQueue;
  }

  enqueue(
    queue: BackendQueue,
    plan: CopyPlan,
    target: Memory,
    origin: Memory,
  ): void | Promise<void> {
    const [to, from] = [target as FakeMemory, origin as FakeMemory];
    const { name } = queue as FakeQueue;
    this.begins();
    if (++this.enqueued === this.fails) throw new Error('enqueue failed');
    const isRun = isContiguous(plan);
    for (const memory of [to, from]) {
      const reach = this.reach(queue, memory);
      if (memory.freed) throw new Error(`${memory.name} was given back`);
      if (reach === 'no' || (reach === 'copies' && !isRun)) throw new Error(`not within reach`);
    }
    const how = isRun ? 'run' : plan.conversion ? 'converted' : 'strided';
    this.log.push(`${name}: ${to.name} <- ${from.name} (${plan.nbytes}, ${how})`);
    work(plan, to, from);
    this.ends();
  }

  stage(byteLength: number, queue: BackendQueue, timeout: number): Staging {
    this.#take(byteLength, 'stage', timeout);
    const { device } = queue;
    const memory = new FakeMemory(this, device, new Uint8Array(byteLength), null, 's');
    const at = (bytes: Uint8Array) => ({ bytes, pointer: 0n });
    const based = { bytes: memory.bytes, pointer: 0n };
    const move = (plan: CopyPlan, to: Bytes, from: Bytes) => {
      this.begins();
      work(plan, to, from);
    };
    return {
      memory,
      pointer: memory.pointer,
      read: (plan, bytes) => move(plan, based, at(bytes)),
      write: (plan, bytes) => move(plan, at(bytes), based),
    };
  }

  async settle(queue: BackendQueue, memory: Memory): Promise<void> {
    this.log.push(`settle ${(memory as FakeMemory).name} by ${(queue as FakeQueue).name}`);
    this.begins();
    await (memory as FakeMemory).ending;
    this.ends();
  }

  mapBuffer(memory: Memory, address: bigint, byteLength: number): BufferMapping | null {
    if (!this.exposes) return null;
    const { bytes, name } = memory as FakeMemory;
    this.log.push(`mapBuffer ${name} (${address}, ${byteLength})`);
    const { buffer } = bytes.slice(0, byteLength);
    return { buffer, end: () => this.log.push(`end the buffer over ${name}`) };
  }

  import(array: ArrayDescriptor, memory: Memory, queue: BackendQueue): ImportedMemory | null {
    this.begins();
    if (!this.reaches(memory)) return null;
    const { bytes, pointer } = memory as FakeMemory;
    const seen = new FakeMemory(this, queue.device, bytes, null, 'i');
    const moved = array.pointer + seen.pointer - pointer;
    return { memory: seen, array: replace(array, { pointer: moved, owner: seen }) };
  }

  reach(queue: BackendQueue, memory: Memory): Reach {
    const { place } = memory as FakeMemory;
    if (place === queue.device) return 'kernels';
    return this.contexts[place] === this.contexts[queue.device] ? 'copies' : 'no';
  }

  groupOf(range: readonly number[]): readonly number[] {
    return range.map(() => 1);
  }

  groupLimits(): GroupLimits {
    return this.limitsOfGroups;
  }

  build(kernel: Kernel, { types }: Signature, queue: BackendQueue): object | Promise<object> {
    return this.builds(kernel, types, queue as FakeQueue);
  }

  launch(queue: BackendQueue, built: object, launch: Launch): void | Promise<void> {
    return this.launches(queue as FakeQueue, built, launch);
  }

  before(queue: BackendQueue, uses: readonly Use[]): void {
    this.log.push(`${(queue as FakeQueue).name} before ${namesOf(uses)}`);
  }

  after(queue: BackendQueue, uses: readonly Use[]): void | Promise<void> {
    this.log.push(`${(queue as FakeQueue).name} after ${namesOf(uses)}`);
  }

  within<T>(queue: BackendQueue, _uses: readonly Use[], work: () => T): T {
    this.log.push(`within ${(queue as FakeQueue).name}`);
    return work();
  }
}

function namesOf(uses: readonly Use[]): string {
  return uses
    .map(({ memory, writes }) => `${(memory as FakeMemory).name}${writes ? '!' : ''}`)
    .join(' ');
}

interface Bytes {
  readonly pointer: bigint;
  readonly bytes: Uint8Array;
}

/** Does a plan, one unit after the other. */
function work(plan: CopyPlan, to: Bytes, from: Bytes): void {
  const [target, origin] = [to, from].map(({ bytes: { buffer, byteOffset, byteLength } }) => {
    return new DataView(buffer, byteOffset, byteLength);
  }) as [DataView, DataView];
  const step = (axis: number, at: number, source: number): void => {
    const length = plan.shape[axis];
    if (length === undefined) copyUnit(plan, target, at, origin, source);
    for (let i = 0; i < (length ?? 0); i++) {
      const [toStride, fromStride] = [plan.destinationStrides[axis], plan.sourceStrides[axis]];
      step(axis + 1, at + i * (toStride as number), source + i * (fromStride as number));
    }
  };
  step(0, Number(plan.destination - to.pointer), Number(plan.source - from.pointer));
}

function copyUnit(plan: CopyPlan, to: DataView, at: number, from: DataView, source: number): void {
  const { conversion, unit } = plan;
  if (conversion === null) {
    for (let i = 0; i < unit; i++) to.setUint8(at + i, from.getUint8(source + i));
    return;
  }
  const value =
    conversion.from === 'f8' ? from.getFloat64(source, true) : from.getInt16(source, true);
  if (conversion.to === 'f8') to.setFloat64(at, value, true);
  else to.setInt16(at, value, true);
}

/** A backend over a fake driver. */
export class FakeBackend extends BaseBackend<FakeArray, FakeDriver> {
  declare readonly driver: FakeDriver;
  readonly name = 'fake';
  readonly protocol = 'host';
  readonly availability = { available: true, library: 'built in', version: '1' } as const;

  constructor(driver: FakeDriver = new FakeDriver()) {
    super((backend) => Object.assign(driver, { backend }));
  }

  devices(): readonly DeviceInfo[] {
    return [];
  }

  inspectPointer(): never {
    throw new Error('not asked in these tests');
  }

  createQueue(): BackendQueue {
    const queue = new FakeQueue('made', 0, this.driver.log);
    this.driver.madeQueues.push(queue);
    return queue;
  }

  async synchronize(): Promise<void> {}
  async whenKernelsReady(): Promise<void> {}
}

/** A backend, and the launches that its driver was given. */
export function fakeLaunches() {
  const driver = new FakeDriver();
  const backend = new FakeBackend(driver);
  const launches: Launch[] = [];
  driver.launches = (_queue, _built, launch) => {
    launches.push({ ...launch, values: launch.values.slice() });
  };
  return { driver, backend, launches };
}
