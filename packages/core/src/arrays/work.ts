import { acquire, temporary } from '../backend/access/acquire.js';
import { Deadline, TIMEOUT_MS } from '../backend/access/deadline.js';
import { makeArray } from '../backend/access/make-array.js';
import type { Backend, BackendArray, OwnedArray } from '../backend/interface/array.js';
import type { Driver, Reach } from '../backend/interface/driver.js';
import { assertOwn, type Memory, memoryOf } from '../backend/interface/memory.js';
import type { CopyOptions, EmptyOptions, LaunchOptions } from '../backend/interface/options.js';
import type { BackendQueue } from '../backend/interface/queue.js';
import type { CheckedLaunch } from '../backend/launch/checked-launch.js';
import { countDeferred, enqueuedSince } from '../backend/order/deferred-work.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import { type DType, sameDType } from '../dtype/dtype.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { sameShape } from '../input/shape.js';
import type { Kernel } from '../kernel/kernel.js';
import type { Casting } from '../numbers/casting.js';
import { shareBytes } from '../overlap/may-share-memory.js';
import { newBuffer } from '../plan/copy-buffers.js';

/** A backend, and what its functions of arrays need besides its public side. */
export interface Maker<A extends BackendArray = BackendArray> {
  readonly backend: Backend<A>;
  readonly driver: Driver<A>;
  /** Returns an array as the backend sees it. */
  resolve(array: ArrayDescriptor): ArrayDescriptor;
  /** `Backend.copy`. Null if there is nothing to wait for. Throws at once what it can. */
  copy(to: ArrayDescriptor, from: ArrayDescriptor, options: CopyOptions): Promise<void> | null;
  /** Checks all of `Backend.launch` but its arguments. Throws at once. */
  checkLaunch(kernel: Kernel, options: LaunchOptions): CheckedLaunch;
}

/** Items of one launch at most, so that no backend has to split it. */
const MOST_ITEMS = 2 ** 30;

/** Which queue and which signal the caller named for the work. */
export interface WorkOptions {
  readonly queue?: BackendQueue | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a step needs of an array besides its elements. */
interface Wanted {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly path: string;
  /** An array that is written, with which it must share no bytes. */
  readonly apart?: ArrayDescriptor;
}

/**
 * The copies and launches of one call. All are requested before the call returns, so that whatever
 * is requested later is ordered after them, and each is ordered after those before it. If one fails,
 * those after it are not done: they would read what nobody wrote. Temporaries and held arrays are
 * kept until their work is enqueued.
 */
export class Work<A extends BackendArray = BackendArray> {
  readonly maker: Maker<A>;
  readonly #options: WorkOptions;
  readonly #deadline = new Deadline();
  readonly #before = countDeferred();
  readonly #temporaries: Memory[] = [];
  readonly #held: Memory[] = [];
  readonly #made: OwnedArray<A>[] = [];
  readonly #pending: Promise<unknown>[] = [];
  readonly #afterwards: (() => Promise<void>)[] = [];

  constructor(maker: Maker<A>, options: WorkOptions) {
    this.maker = maker;
    this.#options = options;
  }

  /**
   * Returns a new array where the options say, else where work on `near` runs. It is disposed if
   * the call fails. Throws what `empty` throws.
   */
  make(
    shape: readonly number[],
    type: DType,
    options: EmptyOptions,
    near: ArrayDescriptor | null = null,
  ): OwnedArray<A> {
    const layout = relativeLayout(shape, type, options.byteStrides);
    const made = makeArray(
      this.maker.driver,
      layout,
      placed(this.maker, options, near),
      TIMEOUT_MS,
    );
    this.#made.push(made);
    return made;
  }

  /**
   * Returns the array as one of this backend's memory, which is kept until the work is enqueued.
   * JavaScript memory stays as it is. Throws ERR_NOT_ACCESSIBLE for memory of another backend, and
   * what `asArray` throws.
   */
  hold(array: ArrayDescriptor, path: string): ArrayDescriptor {
    if (array.buffer !== null) return array;
    const { backend, driver } = this.maker;
    const { memory } = acquire(driver, array, path);
    this.#held.push(memory);
    assertOwn(backend, memory, path);
    return replace(array, { owner: memory, stream: null, syclobj: null });
  }

  /** The queue of work that writes a memory. Throws ERR_ARGUMENT if the named one cannot. */
  queueOf(memory: Memory): BackendQueue {
    const { driver } = this.maker;
    return this.#options.queue ?? memory.homeQueue ?? driver.defaultQueue(memory);
  }

  /** Returns a dense array for work on a queue. Throws ERR_OUT_OF_MEMORY. */
  temporary(queue: BackendQueue, shape: readonly number[], type: DType): ArrayDescriptor {
    const place = { queue };
    const { array, memory } = temporary(this.maker.driver, place, shape, type, this.#deadline);
    this.#temporaries.push(memory);
    return array;
  }

  /**
   * Returns the elements, broadcast and converted, in dense memory that the queue's kernels reach:
   * the array itself, or a copy of it. Throws ERR_NOT_ACCESSIBLE for memory that no copy on the
   * queue reaches, before anything is requested.
   */
  dense(queue: BackendQueue, array: ArrayDescriptor, wanted: Wanted): ArrayDescriptor {
    if (this.#isUsable(queue, array, wanted)) return array;
    const copied = this.temporary(queue, wanted.shape, wanted.dtype);
    this.copy(copied, array);
    return copied;
  }

  #isUsable(queue: BackendQueue, array: ArrayDescriptor, wanted: Wanted): boolean {
    if (array.buffer !== null) return false;
    const reach = this.reachable(queue, array, wanted.path);
    if (reach !== 'kernels' || !array.contiguous.c) return false;
    if (!sameShape(array.shape, wanted.shape) || !sameDType(array.dtype, wanted.dtype))
      return false;
    if (!isAligned(array)) return false;
    return wanted.apart === undefined || !shareBytes(wanted.apart, array);
  }

  /**
   * Returns how the queue accesses an array. Throws ERR_NOT_ACCESSIBLE if it cannot: a copy of it
   * would be ordered with nothing else.
   */
  reachable(queue: BackendQueue, array: ArrayDescriptor, path: string): Reach {
    if (array.buffer !== null) return 'copies';
    const reach = this.maker.driver.reach(queue, memoryOf(array.owner) as Memory);
    if (reach === 'no') throw outOfReach(path);
    return reach;
  }

  /** Copies what was checked before. */
  copy(to: ArrayDescriptor, from: ArrayDescriptor, casting: Casting = 'unsafe'): void {
    if (to.size > 0) this.request(this.maker.copy(to, from, { ...this.#chosen(), casting }));
  }

  /** Returns the elements in JavaScript memory, where they are once `enqueued` settles. */
  download(array: ArrayDescriptor, shape: readonly number[], type: DType): ArrayDescriptor {
    const layout = relativeLayout(shape, type);
    const to = replace(layout, { buffer: newBuffer(layout.nbytes) });
    this.copy(to, array);
    return to;
  }

  /**
   * Launches a kernel for items 0 to `total`. It takes the first item of a launch, and `total`. The
   * host's code does all items in one call.
   */
  launch(kernel: Kernel, total: number, values: Readonly<Record<string, unknown>>): void {
    const { driver } = this.maker;
    const most = driver.isSynchronous ? total : MOST_ITEMS;
    for (let first = 0; first < total; first += most) {
      const range = [driver.isSynchronous ? 1 : Math.min(most, total - first)];
      const given = { ...values, total, first };
      this.request(this.maker.checkLaunch(kernel, { ...this.#chosen(), range }).launch(given));
    }
  }

  #chosen(): WorkOptions & { queue?: BackendQueue; signal?: AbortSignal } {
    const { queue, signal } = this.#options;
    return { ...(queue && { queue }), ...(signal && { signal }) };
  }

  /** Adds work that was requested. Null: it is enqueued. */
  request(work: Promise<unknown> | null): void {
    if (work !== null) this.#pending.push(work);
  }

  /** Everything is requested: what was deferred fails together. */
  join(): void {
    this.request(enqueuedSince(this.#before, this.#options.signal));
  }

  /** Settles once all that was requested so far is enqueued, and all downloads are there. */
  async enqueued(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** Has a step done before the call settles, once everything is enqueued. */
  afterwards(step: () => Promise<void>): void {
    this.#afterwards.push(step);
  }

  /** Nothing more is requested: lets go of everything, which pending work keeps. */
  close(): void {
    for (const memory of this.#temporaries) memory.end();
    for (const memory of this.#held) memory.release();
  }

  /** Settles once all is done. */
  async settle(): Promise<void> {
    await this.enqueued();
    for (const step of this.#afterwards) await step();
  }

  /** Ends what the call made. The caller gets the first error, and nobody the others. */
  abandon(): void {
    for (const one of this.#pending) one.catch(() => {});
    for (const array of this.#made) array[Symbol.dispose]();
  }
}

/**
 * Calls `request`, which requests all work of a call before it returns. Settles once that is
 * enqueued, so that the result may be used. If it fails, ends the arrays that were made.
 */
export async function inOrder<A extends BackendArray, T>(
  maker: Maker<A>,
  options: WorkOptions,
  request: (work: Work<A>) => T,
): Promise<T> {
  const work = new Work(maker, options);
  try {
    const made = requested(work, request);
    await work.settle();
    return made;
  } catch (error) {
    work.abandon();
    throw error;
  }
}

function requested<A extends BackendArray, T>(work: Work<A>, request: (work: Work<A>) => T): T {
  try {
    const made = request(work);
    work.join();
    return made;
  } finally {
    work.close();
  }
}

/**
 * Returns where new memory goes: where the options say, else where work on `near` runs. Only one
 * option names the place: a device would have to agree with a context or a pool.
 */
export function placed(
  { backend, driver }: Maker,
  options: EmptyOptions,
  near: ArrayDescriptor | null,
): EmptyOptions {
  const memory = memoryOf(near?.owner);
  const places = ['queue', 'device', ...(driver.ownOptions?.places ?? [])];
  const isNamed = places.some((name) => options[name as keyof EmptyOptions] !== undefined);
  if (isNamed || memory === null || memory.backend !== backend) return options;
  return { ...options, queue: driver.defaultQueue(memory) };
}

/** Whether kernels may read the elements as numbers: they do that with indices alone. */
function isAligned({ pointer, dtype: { kind, itemsize } }: ArrayDescriptor): boolean {
  return kind !== 'i' || pointer % BigInt(itemsize) === 0n;
}

function outOfReach(path: string): ArrayInterfaceError {
  return mismatch(
    'ERR_NOT_ACCESSIBLE',
    path,
    'memory that the device of the result can access',
    'memory of another context',
    'copy it with array(…, { queue }) first',
  );
}
