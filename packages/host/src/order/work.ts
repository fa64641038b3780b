import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { type ByteRange, LastAccesses } from '@array-interface/core/backend';

/** What work requires of a memory. */
export interface Reached {
  /** Throws if JavaScript has detached the memory, or shortened it to end before an address. */
  assertReaches(end: bigint): void;
}

/** What work requires of a queue. */
export interface Gated {
  /** The pending work that later work of the queue waits for. */
  readonly gates: ReadonlySet<Work>;
}

/**
 * Bytes of a memory that work reads or writes. They are compared by address, since several memories
 * may cover the same bytes.
 */
export interface Access extends ByteRange {
  readonly memory: Reached;
}

/** An access to the bytes from an array's first to its last. */
export function accessOf(memory: Reached, array: ArrayDescriptor, writes: boolean): Access {
  const [low, high] = array.extent;
  const { pointer } = array;
  return { memory, start: pointer + BigInt(low), end: pointer + BigInt(high), writes };
}

/** Work that continues after the call that began it has returned. */
export interface Running {
  /** Settles once it has ended. */
  readonly ended: Promise<void>;
  /** Blocks until it has ended. */
  join(): void;
}

/** Work, as it is enqueued. */
export interface Task {
  readonly queue: Gated;
  readonly accesses: readonly Access[];
  /** Cancels the work, if it has not begun. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The kind of function of the caller's that `run` calls. Work that the function enqueues on the
   * same bytes is nested in this work: within a `use` it may run immediately, within a `kernel`
   * only once the kernel has returned.
   */
  readonly calls?: 'use' | 'kernel';
  /** Runs the work, or begins it. */
  run(): Running | undefined;
}

/** How work is ordered. */
export interface Dependencies {
  /** The work that it waits for. */
  readonly earlier: Set<Work>;
  /** The work that it is nested in, which ends after it. Null if it is not nested. */
  readonly parent: Work | null;
  /** For each of its accesses, the tracker that orders it. */
  readonly orders: readonly LastAccesses<Work>[];
}

/**
 * Work of this thread that has not ended, by number. Numbers follow the order in which work was
 * enqueued.
 */
export const pending: Map<number, Work> = new Map();
/** Orders all work that is not nested. */
export const lastAccesses: LastAccesses<Work> = new LastAccesses();
let asked = 0;
/** Work that waits for nothing any more. */
const ready: Work[] = [];
let isAdvancing = false;
/** The work whose function is running, and enqueues whatever is enqueued now. */
let asking: Work | null = null;

/** The number of works created so far; for `pendingSince`. */
export function countWork(): number {
  return asked;
}

/** The work whose function is running now. Null if there is none. */
export function asker(): Work | null {
  return asking;
}

/** Pending work: it waits for other work, is running, or runs on other threads. */
export class Work {
  readonly task: Task;
  readonly parent: Work | null;
  readonly #number = ++asked;
  readonly #orders: readonly LastAccesses<Work>[];
  /** The work whose function enqueued it. */
  readonly #asker = asking;
  /** What it still waits for. */
  readonly #earlier: Set<Work>;
  /** What waits for it. */
  readonly #later: Work[] = [];
  /** The nested work that has not ended. */
  #children: Set<Work> | null = null;
  #order: LastAccesses<Work> | null = null;
  /** True if it works on bytes that its parent, a kernel, writes. */
  readonly #followsParent: boolean;
  /** What `ended` returned, once somebody asked: most kernels end before that. */
  #end: { readonly promise: Promise<void>; resolve(): void; reject(reason: unknown): void } | null =
    null;
  #failure: { readonly reason: unknown } | null = null;
  #running: Running | null = null;
  #hasBegun = false;
  /** True once its own part has ended, even if its children have not. */
  #isDone = false;
  #hasEnded = false;
  #isCancelled = false;

  constructor(task: Task, { earlier, parent, orders }: Dependencies) {
    this.task = task;
    this.parent = parent;
    this.#earlier = earlier;
    this.#orders = orders;
    for (const work of earlier) work.#later.push(this);
    this.#followsParent = task.accesses.some((access) => parent?.keepsOff(access));
    parent?.adopt(this);
    pending.set(this.#number, this);
    for (const [index, access] of task.accesses.entries()) orders[index]?.add(this, access);
  }

  /** Settles once it has ended; rejects if it failed. */
  get ended(): Promise<void> {
    if (this.#end === null) {
      this.#end = settleable();
      this.#tell();
    }
    return this.#end.promise;
  }

  /** True once it and all nested work have ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** True if it must wait for other work. */
  get waits(): boolean {
    return this.#earlier.size > 0 || this.#waitsForParent;
  }

  /** Orders the work nested in it. Null if it calls no function, and so enqueues nothing. */
  get order(): LastAccesses<Work> | null {
    if (this.task.calls === undefined) return null;
    this.#order ??= new LastAccesses();
    return this.#order;
  }

  /** Yields what must end before it can end. */
  *needs(): Iterable<Work> {
    yield* this.#earlier;
    yield* this.#children ?? [];
  }

  /** What it still waits for. */
  get earlier(): Iterable<Work> {
    return this.#earlier;
  }

  /** True while its function is running. */
  get isCalling(): boolean {
    return this.task.calls !== undefined && this.#hasBegun && !this.#isDone;
  }

  /** The work whose function enqueued it, while that function still runs; otherwise its parent. */
  get outer(): Work | null {
    const asker = this.#asker;
    return asker?.isCalling ? asker : this.parent;
  }

  /** Nests other work in it, and ends after that. */
  adopt(child: Work): void {
    this.#children ??= new Set();
    this.#children.add(child);
  }

  /** True if it covers these bytes, with the requested access. */
  holds({ start, end, writes }: ByteRange): boolean {
    if (this.task.calls === undefined) return false;
    const isWithin = (own: ByteRange) => own.start <= start && end <= own.end;
    return this.task.accesses.some((own) => isWithin(own) && (own.writes || !writes));
  }

  /** True if nested work must not touch these bytes until its function has returned. */
  keepsOff({ start, end }: ByteRange): boolean {
    if (this.task.calls !== 'kernel' || this.#isDone) return false;
    return this.task.accesses.some((own) => own.writes && start < own.end && own.start < end);
  }

  /** Cancels work that has not begun, so that it ends without running. False if it has begun. */
  cancel(): boolean {
    this.#isCancelled ||= !this.#hasBegun;
    return this.#isCancelled;
  }

  /** Blocks until it has ended. Throws ERR_PENDING if only the event loop can end it. */
  finish(): void {
    const all = new Set<Work>([this]);
    for (const work of all) {
      for (const earlier of work.#earlier) all.add(earlier); // and then those before it
    }
    for (const work of [...all].sort((one, other) => one.#number - other.#number)) work.#join();
  }

  /** Settles `ended`, if it was asked for, as far as it is known how the work ended. */
  #tell(): void {
    if (this.#failure !== null) this.#end?.reject(this.#failure.reason);
    else if (this.#hasEnded) this.#end?.resolve();
  }

  /** Begins, unless it has begun. Requires that it waits for nothing. Undefined if it has ended. */
  begin(): Promise<void> | undefined {
    if (this.#hasBegun) return this.ended;
    this.#hasBegun = true;
    try {
      const running = this.#isCancelled ? undefined : this.#call();
      if (running !== undefined) return this.#watch(running);
    } catch (error) {
      this.#failure = { reason: error };
      this.#tell();
      this.#finishOwn();
      return this.ended;
    }
    this.#finishOwn();
    return this.#hasEnded ? undefined : this.ended;
  }

  get #waitsForParent(): boolean {
    return this.#followsParent && this.parent !== null && !this.parent.#isDone;
  }

  /** Runs it, if its memory still exists: JavaScript may have detached its buffers. */
  #call(): Running | undefined {
    for (const { memory, end } of this.task.accesses) memory.assertReaches(end);
    if (this.task.calls === undefined) return this.task.run();
    const before = asking;
    asking = this;
    try {
      return this.task.run();
    } finally {
      asking = before;
    }
  }

  #join(): void {
    if (this.#waitsForParent) throw unfinished();
    this.begin();
    if (!this.#isDone) {
      if (this.#running === null) throw unfinished();
      this.#running.join();
      this.#finishOwn();
    }
    for (const child of [...(this.#children ?? [])]) child.finish();
  }

  #watch(running: Running): Promise<void> {
    this.#running = running;
    void running.ended.then(() => this.#finishOwn());
    return this.ended;
  }

  #finishOwn(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    for (const child of this.#children ?? []) {
      if (!child.waits) ready.push(child);
    }
    this.#endIfDone();
    advance();
  }

  #endIfDone(): void {
    if (!this.#isDone || (this.#children?.size ?? 0) > 0) return;
    this.#hasEnded = true;
    pending.delete(this.#number);
    for (const [index, access] of this.task.accesses.entries()) {
      this.#orders[index]?.remove(this, access);
    }
    this.#tell();
    for (const work of this.#later) {
      work.#earlier.delete(this);
      if (!work.waits) ready.push(work);
    }
    const { parent } = this;
    if (parent === null) return;
    parent.#children?.delete(this);
    parent.#endIfDone();
  }
}

/** Begins all work that waits for nothing any more. */
function advance(): void {
  if (isAdvancing) return; // avoids recursion: the outer call goes on
  isAdvancing = true;
  for (const work of ready) work.begin(); // also what becomes ready meanwhile
  ready.length = 0;
  isAdvancing = false;
}

/** A promise that may reject though nobody listens: whoever enqueued the work gets the error. */
function settleable() {
  let settle = { resolve() {}, reject(_reason: unknown) {} };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => {});
  return { promise, ...settle };
}

/** The error for a blocking wait that would never end. */
function unfinished(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_PENDING',
    null,
    'expected work that can end without the event loop, got work that waits for the event loop or for ' +
      'itself; await synchronize() instead',
  );
}
