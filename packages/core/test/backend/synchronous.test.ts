import { describe, expect, test } from 'vitest';
import {
  BackendArray,
  type BackendQueue,
  type CopyPlan,
  type DeviceInfo,
  type Memory,
  memoryOf,
  SynchronousBackend,
  SynchronousDriver,
  SynchronousMemory,
} from '../../src/backend/index.js';
import { type ArrayDescriptor, ArrayInterfaceError } from '../../src/index.js';

// A backend over SynchronousBackend that has no addon: its memory is JavaScript's, at addresses of its own, which
// this process reaches or not. The whole contract runs on docs/writing-a-backend.md; here is what it cannot see.

/** What `console.log` shows in Node: by the method that it calls, since this runs in browsers too. */
function inspected(array: BackendArray): string {
  const inspect = Symbol.for('nodejs.util.inspect.custom');
  return (array as unknown as Record<symbol, () => string>)[inspect]?.() ?? '';
}

class TestMemory extends SynchronousMemory {
  readonly memoryKind = 'device';
  readonly hostOffset: bigint | null;
  readonly bytes: Uint8Array;
  readonly #driver: TestDriver;

  constructor(driver: TestDriver, pointer: bigint, bytes: Uint8Array, queue: BackendQueue | null) {
    super(driver.backend, { pointer, byteLength: bytes.length }, queue);
    this.#driver = driver;
    this.bytes = bytes;
    this.hostOffset = driver.isReached ? 0n : null;
    driver.live.add(this);
  }

  protected free(): void {
    this.#driver.live.delete(this);
  }
}

class TestArray extends BackendArray {
  protected over(descriptor: ArrayDescriptor, base: BackendArray): TestArray {
    return new TestArray(this.memory, descriptor, base);
  }
}

class TestDriver extends SynchronousDriver<TestArray> {
  readonly memoryKind = 'device';
  readonly live = new Set<TestMemory>();
  isReached = true;
  /** How often bytes were moved. */
  moves = 0;
  #next = 1n << 20n;

  protected newMemory(byteLength: number, queue: BackendQueue | null): TestMemory {
    const pointer = this.#next;
    this.#next += BigInt(byteLength + 64) & ~63n;
    return new TestMemory(this, pointer, new Uint8Array(byteLength), queue);
  }

  protected memoryAt(pointer: bigint): TestMemory | null {
    const found = [...this.live].find(
      ({ allocation: { pointer: start, byteLength } }) =>
        start <= pointer && pointer < start + BigInt(byteLength),
    );
    return found ? new TestMemory(this, found.pointer, found.bytes, null) : null;
  }

  /** One run of bytes, which is all that these tests copy. */
  protected moveBytes(plan: CopyPlan, to: Uint8Array | null, from: Uint8Array | null): void {
    this.moves++;
    const [target, source] = [this.#at(plan.destination, to), this.#at(plan.source, from)];
    target.set(source.subarray(0, plan.nbytes));
  }

  #at(address: bigint, bytes: Uint8Array | null): Uint8Array {
    if (bytes !== null) return bytes.subarray(Number(address));
    for (const { pointer, bytes: own } of this.live) {
      if (pointer <= address && address < pointer + BigInt(own.length)) {
        return own.subarray(Number(address - pointer));
      }
    }
    throw new Error(`expected an address of this backend, got ${address}`);
  }

  wrap(memory: Memory, descriptor: ArrayDescriptor, base: TestArray | null): TestArray {
    return new TestArray(memory, descriptor, base);
  }
}

class TestBackend extends SynchronousBackend<TestArray, TestDriver> {
  declare readonly driver: TestDriver;
  readonly name = 'test';
  readonly protocol = 'host';
  readonly availability = { available: true, library: 'built in', version: '1' } as const;

  constructor() {
    super((backend) => new TestDriver(backend));
  }

  devices(): readonly DeviceInfo[] {
    return [];
  }
}

describe.each([true, false])('memory that this process reaches: %s', (isReached) => {
  async function setUp() {
    const backend = new TestBackend();
    backend.driver.isReached = isReached;
    const array = await backend.array(Uint8Array.of(1, 2, 3));
    return { backend, array };
  }

  test('console.log shows its elements then, and moves nothing otherwise', async () => {
    const { backend, array } = await setUp();
    const { moves } = backend.driver;
    const shown = inspected(array);
    if (isReached) expect(shown).toBe('TestArray([1, 2, 3], dtype=uint8)');
    else expect(shown).toContain('for its elements, await toText()');
    expect(backend.driver.moves - moves).toBe(isReached ? 1 : 0);
    expect(await array.toText()).toBe('[1 2 3]');
    array[Symbol.dispose]();
  });

  test('inspectPointer says whose it is, and keeps nothing', async () => {
    const { backend, array } = await setUp();
    const { pointer } = array;
    const allocation = { pointer, byteLength: 3 };
    const own = { memoryKind: 'device', device: 0, hostAccessible: isReached };
    expect(backend.inspectPointer(pointer + 2n)).toMatchObject({ ...own, allocation });
    const none = { memoryKind: 'unknown', device: null, hostAccessible: false, allocation: null };
    expect(backend.inspectPointer(pointer + 3n)).toMatchObject(none);
    expect(backend.driver.live.size).toBe(1);
    array[Symbol.dispose]();
    expect(backend.inspectPointer(pointer)).toMatchObject(none);
    expect(backend.driver.live.size).toBe(0);
  });
});

/** The ArrayInterfaceError that work throws or rejects with, as its code and its path. */
async function refusal(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ArrayInterfaceError) return [error.code, error.path];
    return error;
  }
  return 'no error';
}

test('what it has one of is refused wherever another is named', async () => {
  const [backend, other] = [new TestBackend(), new TestBackend()];
  using array = await backend.array(Uint8Array.of(1, 2, 3));
  using queue = other.createQueue();
  const calls: readonly (readonly [() => unknown, string])[] = [
    [() => backend.createQueue({ device: 1 }), 'device'],
    [() => backend.empty([4], 'uint8', { device: 1 }), 'device'],
    [() => backend.empty([4], 'uint8', { memoryKind: 'host' }), 'memoryKind'],
    [() => backend.empty([4], 'uint8', { queue }), 'queue'],
    [() => backend.array([1], { queue }), 'queue'],
    [() => backend.fill(array, 1, { queue }), 'queue'],
    [() => backend.copy(array, array.flip(), { queue }), 'queue'],
    [() => backend.use(queue, { reads: [array] }, () => {}), 'queue'],
    [() => array.recordUse(queue), 'queue'],
  ];
  for (const [call, path] of calls) {
    expect(await refusal(call), `${call}`).toEqual(['ERR_ARGUMENT', path]);
  }
  expect(backend.driver.live.size).toBe(1);
});

test('an aborted signal ends each call at once, with its reason', async () => {
  const backend = new TestBackend();
  using array = await backend.array(Uint8Array.of(1, 2, 3));
  using queue = backend.createQueue();
  const { moves } = backend.driver;
  const reason = new Error('on purpose');
  const options = { signal: AbortSignal.abort(reason) };
  for (const call of [
    () => backend.synchronize(options),
    () => backend.whenKernelsReady(options),
    () => queue.synchronize(options),
    () => queue.record().synchronize(options),
    () => array.synchronize(options),
    () => backend.fill(array, 7, options),
    () => backend.copy(array, Uint8Array.of(4, 5, 6), options),
    () => backend.toTypedArray(array, options),
    () => backend.array([1], options),
  ]) {
    expect(await refusal(call), `${call}`).toBe(reason);
  }
  expect(backend.driver.moves).toBe(moves);
  expect(backend.driver.live.size).toBe(1);
});

test('a loan keeps memory only as long as it lasts', async () => {
  const backend = new TestBackend();
  const array = await backend.array(Uint8Array.of(1, 2, 3));
  const loan = backend.asArray(array);
  expect(memoryOf(loan.descriptor.owner)).not.toBe(array.memory);
  array[Symbol.dispose]();
  expect(await loan.toText()).toBe('[1 2 3]');
  loan[Symbol.dispose]();
  expect(backend.driver.live.size).toBe(0);
});
