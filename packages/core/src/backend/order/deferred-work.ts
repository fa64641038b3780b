import { mismatch } from '../../errors/mismatch.js';
import { isLockHeld, pause, whenLockIsFree } from './lock.js';
import { type Accesses, type NativeQueue, type TrackedMemory, WaitList } from './wait-list.js';

/** What is retained until the work has run. */
interface Kept {
  retain(): void;
  release(): void;
}

/** Work as it was requested. */
export interface Task extends Accesses {
  readonly queues: readonly (NativeQueue & Kept)[];
  readonly uses: readonly { readonly memory: TrackedMemory & Kept; readonly writes: boolean }[];
  /**
   * Settles when its kernel is built, or when another process may have released a lock. Rejects
   * with the error with which the work then fails.
   */
  readonly built?: Promise<unknown> | undefined;
  /**
   * Enqueues the work. Returns a promise if it is enqueued later. Called again, at once or in the
   * same deferred run, if it threw because another process holds a lock.
   */
  run(): void | Promise<void>;
}

/** Where work is requested now. Work requested by running deferred work gets a list of its own. */
let waitList = new WaitList<DeferredWork>();
/** Deferred work that has not ended, by number. */
const waiting = new Map<number, DeferredWork>();
let asked = 0;
/** Deferred work that waits for nothing any more. */
const ready: DeferredWork[] = [];
let isAdvancing = false;

/**
 * Work deferred until its kernel is built, until another process releases a lock, or until earlier
 * deferred work that it depends on is enqueued. Work on the same memories or queues that is
 * requested later is ordered after it, even if it fails. Retains memories and queues. Blocks no
 * thread.
 */
export class DeferredWork {
  /** Settles when the work is enqueued. Rejects with its error, possibly before it has run. */
  readonly enqueued: Promise<void>;
  /** Settles when later work that depends on it may continue. */
  readonly ended: Promise<void>;
  readonly #number = ++asked;
  readonly #task: Task;
  readonly #line: WaitList<DeferredWork>;
  /** The work that it still waits for. */
  readonly #earlier: Set<DeferredWork>;
  /** The work that waits for it. */
  readonly #later: DeferredWork[] = [];
  /** All work of one call, which fails together. */
  #call: readonly DeferredWork[] = [];
  #resolve: () => void = () => {};
  #reject: (reason: unknown) => void = () => {};
  #endWaits: () => void = () => {};
  #isBuilt: boolean;
  #isReady = false;
  #hasBegun = false;
  #hasFailed = false;
  /** When it, or the work before it, began to wait for a lock. */
  #waitsSince: number | undefined;

  constructor(of: WaitList<DeferredWork>, task: Task, earlier: Set<DeferredWork>) {
    this.#task = task;
    this.#line = of;
    this.#earlier = earlier;
    this.#isBuilt = task.built === undefined;
    this.enqueued = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.enqueued.catch(() => {}); // the requester observes the error
    this.ended = new Promise((resolve) => {
      this.#endWaits = resolve;
    });
    for (const one of earlier) one.#later.push(this);
    for (const kept of this.#kept()) kept.retain();
    of.add(this, task);
    waiting.set(this.#number, this);
    task.built?.then(
      () => this.#pass(),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Settles when the work of one call is enqueued. If some fails, the rest is cancelled. */
  static async all(deferred: readonly DeferredWork[]): Promise<void> {
    for (const one of deferred) one.#call = deferred;
    await Promise.all(deferred.map((one) => one.enqueued));
  }

  /** Whether it has run or is running. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Returns whether it is work of a backend. */
  isOf(backend: object): boolean {
    const { uses } = this.#task;
    return uses.length === 0 || uses.some(({ memory }) => memory.backend === backend);
  }

  /** Cancels work that has not begun. */
  giveUp(reason: unknown): void {
    if (!this.#hasBegun) this.#fail(reason);
  }

  /** Runs the work. */
  begin(): void {
    this.#hasBegun = true;
    const inner = new WaitList<DeferredWork>();
    const running = this.#run(inner);
    const rest = [...inner.works].map(({ ended }) => ended);
    if (running !== null || rest.length > 0) void this.#endAfter(running, rest);
    else this.#end();
  }

  #kept(): readonly Kept[] {
    return [...this.#task.queues, ...this.#task.uses.map(({ memory }) => memory)];
  }

  /**
   * Stops waiting for a build, but not for earlier work: later work is ordered after that through
   * this.
   */
  #fail(reason: unknown): void {
    this.#hasFailed = true;
    this.#reject(reason);
    for (const one of this.#call) if (!one.#hasFailed) one.giveUp(reason);
    this.#pass();
  }

  #pass(): void {
    this.#isBuilt = true;
    this.#advanceIfFirst();
    advance();
  }

  #advanceIfFirst(): void {
    if (this.#isReady || !this.#isBuilt || this.#earlier.size > 0) return;
    this.#isReady = true;
    ready.push(this);
  }

  #run(inner: WaitList<DeferredWork>): Promise<void> | null {
    if (this.#hasFailed) return null;
    try {
      this.#waitsSince ??= performance.now();
      return whenLockIsFree(() => requestedIn(inner, () => this.#task.run()), this.#waitsSince);
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  async #endAfter(running: Promise<void> | null, rest: readonly Promise<void>[]): Promise<void> {
    try {
      await running;
    } catch (error) {
      // Work after it has waited as long, and for the same process.
      if (isLockHeld(error)) for (const one of this.#later) one.#waitsSince ??= this.#waitsSince;
      this.#fail(error);
    }
    await Promise.all(rest);
    this.#end();
  }

  #end(): void {
    waiting.delete(this.#number);
    this.#line.remove(this, this.#task);
    this.#resolve();
    this.#endWaits();
    for (const one of this.#later) {
      one.#earlier.delete(this);
      one.#advanceIfFirst();
    }
    for (const kept of this.#kept()) kept.release();
    advance();
  }
}

/** Runs all work that waits for nothing any more. */
function advance(): void {
  if (isAdvancing) return; // avoids recursion: the running call continues
  isAdvancing = true;
  try {
    for (let one = ready.shift(); one !== undefined; one = ready.shift()) one.begin();
  } finally {
    isAdvancing = false;
  }
}

function requestedIn<T>(inner: WaitList<DeferredWork>, work: () => T): T {
  const outer = waitList;
  waitList = inner;
  try {
    return work();
  } finally {
    waitList = outer;
  }
}

/**
 * Returns whether nothing is deferred. One comparison is all that work pays while no kernel is
 * being built.
 */
export function isNothingDeferred(): boolean {
  return waitList.works.size === 0;
}

/** Defers work that has to wait. Returns null if the caller can do it now. */
export function deferIfBlocked(task: Task): DeferredWork | null {
  if (task.built === undefined && isNothingDeferred()) return null;
  const earlier = waitList.earlierThan(task);
  return task.built === undefined && earlier.size === 0
    ? null
    : new DeferredWork(waitList, task, earlier);
}

/** Does work now, or defers it. */
export function runOrDefer(task: Task): void {
  if (deferIfBlocked(task) !== null) return;
  try {
    const told = task.run();
    if (told !== undefined) holdCall(told);
  } catch (error) {
    deferUntilUnlocked(task, error);
  }
}

/** Defers work that was refused because another process holds a lock. Rethrows any other error. */
export function deferUntilUnlocked(task: Task, refusal: unknown): DeferredWork {
  if (!isLockHeld(refusal)) throw refusal;
  return new DeferredWork(waitList, { ...task, built: pause() }, waitList.earlierThan(task));
}

/**
 * Makes the running call wait for a promise: other processes have not yet been told of what it
 * enqueued. Nothing is ordered after that, since the driver tracks the order of the work itself.
 */
export function holdCall(told: Promise<void>): void {
  const task = { queues: [], isInQueueOrder: false, uses: [], run: () => told };
  new DeferredWork(new WaitList(), task, new Set()).begin();
}

/** Does work as if nothing were deferred. */
function atOnce<T>(work: () => T): T {
  return requestedIn(new WaitList(), work);
}

/** Returns how much work was deferred so far, for `enqueuedSince`. */
export function countDeferred(): number {
  return asked;
}

/**
 * Settles when the work that was deferred since an earlier count is enqueued. It is what one call
 * requested: if some fails, the rest is cancelled. A signal cancels all of it if none has begun.
 * Null if there is none.
 */
export function enqueuedSince(count: number, signal?: AbortSignal): Promise<void> | null {
  if (count === asked) return null;
  const deferred: DeferredWork[] = [];
  for (let number = count + 1; number <= asked; number++) {
    const one = waiting.get(number);
    if (one !== undefined) deferred.push(one);
  }
  return enqueued(deferred, signal);
}

/** Settles when the work of one call is enqueued, unless a signal cancels it. */
export function enqueued(deferred: readonly DeferredWork[], signal?: AbortSignal): Promise<void> {
  const all = DeferredWork.all(deferred);
  if (signal === undefined) return all;
  const giveUp = () => {
    if (deferred.some(({ hasBegun }) => hasBegun)) return;
    const reason = reasonOf(signal);
    for (const one of deferred) one.giveUp(reason);
  };
  try {
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  } catch (error) {
    for (const one of deferred) one.giveUp(error); // a signal that is not the engine's own
  }
  const forget = () => signal.removeEventListener('abort', giveUp);
  all.then(forget, forget).catch(() => {}); // nobody observes what it throws
  return all;
}

function reasonOf(signal: AbortSignal): unknown {
  try {
    return signal.reason;
  } catch (error) {
    return error;
  }
}

const NONE: readonly DeferredWork[] = Object.freeze([]);

/** Returns all deferred work of a backend. */
export function waitingOf(backend: object): readonly DeferredWork[] {
  return isNothingDeferred() ? NONE : [...waitList.works].filter((one) => one.isOf(backend));
}

/** Returns deferred work that accesses a memory. */
export function waitingAt(memory: TrackedMemory): readonly DeferredWork[] {
  return isNothingDeferred() ? NONE : waitList.lastAt(memory);
}

/** Returns deferred work on a queue. */
export function waitingOn(queue: NativeQueue): readonly DeferredWork[] {
  return isNothingDeferred() ? NONE : waitList.lastOn(queue);
}

/** Does work once all earlier work is enqueued, or now if there is none. */
export async function afterDeferred<T>(
  deferred: readonly DeferredWork[],
  work: () => T | Promise<T>,
): Promise<T> {
  if (deferred.length === 0) return work();
  await Promise.all(deferred.map(({ ended }) => ended));
  return atOnce(work);
}

/** Throws ERR_PENDING if work is deferred that another library would have to wait for. */
export function assertNoneDeferred(deferred: readonly DeferredWork[], path: string): void {
  if (deferred.length === 0) return;
  throw mismatch(
    'ERR_PENDING',
    path,
    'work that is already enqueued, so that other work can wait for it',
    'work that waits for a kernel that is being built, or for a lock that another process holds',
    `first await the launch, the ${path}'s synchronize() or the backend's whenKernelsReady()`,
  );
}
