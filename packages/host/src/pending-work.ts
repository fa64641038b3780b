import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { type ByteRange, LastTouches } from '@array-interface/core/backend';

/** What work needs of a memory. */
export interface Reached {
  /** Throws where JavaScript has taken it away, or what lies before an address. */
  assertReaches(end: bigint): void;
}

/** What work needs of a queue. */
export interface Gated {
  /** The pending work that later work of it waits for. */
  readonly gates: ReadonlySet<Work>;
}

/** Bytes of a memory that work reads or writes, by their addresses: a memory may have many names. */
export interface Touch extends ByteRange {
  readonly memory: Reached;
}

/** Work that goes on when the call that began it has returned. */
export interface Running {
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
  /** Blocks until it has ended. */
  join(): void;
}

/** Work as it is asked for. */
export interface Task {
  readonly queue: Gated;
  readonly touches: readonly Touch[];
  /** Gives it up, if it has not begun. */
  readonly signal?: AbortSignal | undefined;
  /** Does it, or begins it. */
  run(): Running | undefined;
}

/** Work of this thread that has not ended, by its number: in the order in which it was asked for. */
const pending = new Map<number, Work>();
const lastTouches = new LastTouches<Work>();
let asked = 0;
/** What waits for nothing any more. */
const ready: Work[] = [];
let isAdvancing = false;

/** The bytes from an array's first to its last. */
export function touchOf(memory: Reached, array: ArrayDescriptor, writes: boolean): Touch {
  const [low, high] = array.extent;
  const { pointer } = array;
  return { memory, start: pointer + BigInt(low), end: pointer + BigInt(high), writes };
}

/** Whether no work of this thread is pending. */
export function isIdle(): boolean {
  return pending.size === 0;
}

/** How much work has been pending so far; for `pendingSince`. */
export function countWork(): number {
  return asked;
}

/** All pending work. */
export function allPending(): readonly Work[] {
  return [...pending.values()];
}

/** The pending work that has come since an earlier count. */
export function pendingSince(count: number): readonly Work[] {
  const works: Work[] = [];
  for (let number = count + 1; number <= asked; number++) {
    const work = pending.get(number);
    if (work !== undefined) works.push(work);
  }
  return works;
}

/** The pending work of a queue. */
export function pendingOn(queue: Gated): readonly Work[] {
  return allPending().filter(({ task }) => task.queue === queue);
}

/** The pending work after which no other reads or writes these bytes. */
export function pendingAt(touch: Touch): readonly Work[] {
  return [...new Set(lastTouches.find({ ...touch, writes: true }))];
}

/** Whether work has to wait for the memory that it touches, though not for its queue. */
export function isTouched(touches: readonly Touch[]): boolean {
  return touches.some((touch) => !lastTouches.find(touch)[Symbol.iterator]().next().done);
}

/** Whether work must wait: for its memory, or for what its queue waits for. */
export function mustWait(queue: Gated, touches: readonly Touch[]): boolean {
  return queue.gates.size > 0 || isTouched(touches);
}

/** Settles when work has ended, whether or not it failed. */
export async function ended(works: readonly Work[]): Promise<void> {
  await Promise.allSettled(works.map((work) => work.ended));
}

/**
 * Does work at once, or has it done as soon as all has ended that it must wait for. Undefined: it
 * has ended. Rejects with what `run` throws, with the signal's reason, or with what the signal throws.
 */
export function enter(task: Task): Promise<void> | undefined {
  const work = ask(task);
  if (!work.waits) return work.begin();
  return task.signal === undefined ? work.ended : endedOrGivenUp(work, task.signal);
}

/** Gives work its place after all that it must wait for. It is pending, also while it is done at once. */
export function ask(task: Task): Work {
  return new Work(task, isIdle() ? new Set() : earlierThan(task));
}

/** Settles as work does; at once, with the signal's reason, when it is aborted before the work begins. */
function endedOrGivenUp(work: Work, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // A signal of somebody else's making may throw. Only work that never begins may be forgotten here,
    // since its memory is let go then.
    const giveUp = (reasonOf: () => unknown) => {
      if (!work.cancel()) return;
      try {
        reject(reasonOf());
      } catch (error) {
        reject(error);
      }
    };
    const listener = () => giveUp(() => signal.reason);
    try {
      signal.addEventListener('abort', listener, { once: true });
    } catch (error) {
      giveUp(() => error);
    }
    work.ended
      .then(resolve, reject)
      .then(() => signal.removeEventListener('abort', listener))
      .catch(() => {}); // what it throws is nobody's answer
  });
}

/** The pending work that new work has to wait for, and that does not wait for more of the same. */
function earlierThan({ queue, touches }: Task): Set<Work> {
  const earlier = new Set(queue.gates);
  for (const touch of touches) {
    for (const work of lastTouches.find(touch)) earlier.add(work);
  }
  return earlier;
}

/** Pending work: it waits for other work, is done right now, or runs on other threads. */
export class Work {
  readonly task: Task;
  /** Settles when it has ended; rejects as it failed. */
  readonly ended: Promise<void>;
  readonly #number = ++asked;
  /** What it still waits for. */
  readonly #earlier: Set<Work>;
  /** What waits for it. */
  readonly #later: Work[] = [];
  #settle: { resolve(): void; reject(reason: unknown): void } = { resolve() {}, reject() {} };
  #running: Running | null = null;
  #hasBegun = false;
  #hasEnded = false;
  #isCancelled = false;

  constructor(task: Task, earlier: Set<Work>) {
    this.task = task;
    this.#earlier = earlier;
    for (const work of earlier) work.#later.push(this);
    pending.set(this.#number, this);
    for (const touch of task.touches) lastTouches.add(this, touch);
    this.ended = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.ended.catch(() => {}); // whoever asked for it hears of it
  }

  /** Whether it has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether it has to wait for other work. */
  get waits(): boolean {
    return this.#earlier.size > 0;
  }

  /** Gives up work that has not begun: its turn passes. False: it has begun. */
  cancel(): boolean {
    this.#isCancelled ||= !this.#hasBegun;
    return this.#isCancelled;
  }

  /** Blocks until it has ended. Throws ERR_PENDING where only the event loop can end it. */
  finish(): void {
    const all = new Set<Work>([this]);
    for (const work of all) {
      for (const earlier of work.#earlier) all.add(earlier); // and then those before it
    }
    for (const work of [...all].sort((one, other) => one.#number - other.#number)) work.#join();
  }

  /** Begins, unless it has begun. Nothing that it waits for is left. Undefined: it is done. */
  begin(): Promise<void> | undefined {
    if (this.#hasBegun) return this.ended;
    this.#hasBegun = true;
    try {
      const running = this.#isCancelled ? undefined : runStill(this.task);
      if (running !== undefined) return this.#watch(running);
    } catch (error) {
      this.#settle.reject(error);
      this.#end();
      return this.ended;
    }
    this.#end();
    return undefined;
  }

  /** Lets new work begin as if this had ended. What waits for it already goes on waiting. */
  stepAside(): void {
    if (!pending.delete(this.#number)) return;
    for (const touch of this.task.touches) lastTouches.remove(this, touch);
  }

  #join(): void {
    this.begin();
    if (this.hasEnded) return;
    if (this.#running === null) throw unfinished();
    this.#running.join();
    this.#end();
  }

  #watch(running: Running): Promise<void> {
    this.#running = running;
    void running.ended.then(() => this.#end());
    return this.ended;
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.stepAside();
    this.#settle.resolve();
    for (const work of this.#later) {
      work.#earlier.delete(this);
      if (work.#earlier.size === 0) ready.push(work);
    }
    advance();
  }
}

/** Runs work that has waited, if its memory is still there: JavaScript may have taken its own away. */
function runStill(task: Task): Running | undefined {
  for (const { memory, end } of task.touches) memory.assertReaches(end);
  return task.run();
}

/** Begins all that waits for nothing any more. */
function advance(): void {
  if (isAdvancing) return; // rather than deeper and deeper: the call under way goes on
  isAdvancing = true;
  for (const work of ready) work.begin(); // also what comes meanwhile
  ready.length = 0;
  isAdvancing = false;
}

/** The error for a blocking wait that would never end. */
export function unfinished(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_PENDING',
    null,
    'expected work that ends without the event loop, got some that waits for its turn there, or for ' +
      'itself; await synchronize() instead',
  );
}

/**
 * Throws ERR_PENDING where work is pending on an array that goes to a consumer, who knows no order and
 * may write.
 */
export function assertAtRest(memory: Reached, array: ArrayDescriptor): void {
  if (isIdle() || pendingAt(touchOf(memory, array, !array.readOnly)).length === 0) return;
  throw new ArrayInterfaceError(
    'ERR_PENDING',
    'array',
    'expected an array without pending work, got one that a kernel works on; ' +
      'await array.synchronize() first',
  );
}
