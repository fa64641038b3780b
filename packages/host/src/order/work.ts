import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { type ByteRange, LastAccesses } from '@array-interface/core/backend';

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
export interface Access extends ByteRange {
  readonly memory: Reached;
}

/** The bytes from an array's first to its last. */
export function accessOf(memory: Reached, array: ArrayDescriptor, writes: boolean): Access {
  const [low, high] = array.extent;
  const { pointer } = array;
  return { memory, start: pointer + BigInt(low), end: pointer + BigInt(high), writes };
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
  readonly accesses: readonly Access[];
  /** Gives it up, if it has not begun. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Which function of the program `run` calls. What that asks for on the same bytes takes the place of
   * this work: in a `use` at once, after a `kernel` when it has returned.
   */
  readonly calls?: 'use' | 'kernel';
  /** Does it, or begins it. */
  run(): Running | undefined;
}

/** Where work comes in the order. */
export interface Place {
  /** What it has to wait for. */
  readonly earlier: Set<Work>;
  /** The work whose place it takes, which ends after it. Null: it has a place of its own. */
  readonly parent: Work | null;
  /** For each of its touches, among what it comes. */
  readonly orders: readonly LastAccesses<Work>[];
}

/** Work of this thread that has not ended, by its number: in the order in which it was asked for. */
export const pending: Map<number, Work> = new Map();
/** The order of all that does not take another's place. */
export const lastAccesses: LastAccesses<Work> = new LastAccesses();
let asked = 0;
/** What waits for nothing any more. */
const ready: Work[] = [];
let isAdvancing = false;
/** The work whose function asks for what is asked for now. */
let asking: Work | null = null;

/** How much work has been pending so far; for `pendingSince`. */
export function countWork(): number {
  return asked;
}

/** The work whose function of the program is running now. Null: none. */
export function asker(): Work | null {
  return asking;
}

/** Pending work: it waits for other work, is done right now, or runs on other threads. */
export class Work {
  readonly task: Task;
  readonly parent: Work | null;
  /** Settles when it has ended; rejects as it failed. */
  readonly ended: Promise<void>;
  readonly #number = ++asked;
  readonly #orders: readonly LastAccesses<Work>[];
  /** Whose function asked for it. */
  readonly #asker = asking;
  /** What it still waits for. */
  readonly #earlier: Set<Work>;
  /** What waits for it. */
  readonly #later: Work[] = [];
  /** What takes its place and has not ended. */
  #children: Set<Work> | null = null;
  #order: LastAccesses<Work> | null = null;
  /** Whether it works on what its parent, a kernel, writes. */
  readonly #followsParent: boolean;
  #settle: { resolve(): void; reject(reason: unknown): void } = { resolve() {}, reject() {} };
  #running: Running | null = null;
  #hasBegun = false;
  /** Whether its own part has ended, if not that of its children. */
  #isDone = false;
  #hasEnded = false;
  #isCancelled = false;

  constructor(task: Task, { earlier, parent, orders }: Place) {
    this.task = task;
    this.parent = parent;
    this.#earlier = earlier;
    this.#orders = orders;
    for (const work of earlier) work.#later.push(this);
    this.#followsParent = task.accesses.some((access) => parent?.keepsOff(access));
    parent?.adopt(this);
    pending.set(this.#number, this);
    for (const [index, access] of task.accesses.entries()) orders[index]?.add(this, access);
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
    return this.#earlier.size > 0 || this.#waitsForParent;
  }

  /** The order of what takes its place. Null: it asks for nothing. */
  get order(): LastAccesses<Work> | null {
    if (this.task.calls === undefined) return null;
    this.#order ??= new LastAccesses();
    return this.#order;
  }

  /** What it cannot end before. */
  *needs(): Iterable<Work> {
    yield* this.#earlier;
    yield* this.#children ?? [];
  }

  /** What it still waits for. */
  get earlier(): Iterable<Work> {
    return this.#earlier;
  }

  /** Whether its function of the program is running. */
  get isCalling(): boolean {
    return this.task.calls !== undefined && this.#hasBegun && !this.#isDone;
  }

  /** Whose function was running, and still is, when it was asked for; or else whose place it takes. */
  get outer(): Work | null {
    const asker = this.#asker;
    return asker?.isCalling ? asker : this.parent;
  }

  /** Ends after other work, which takes its place. */
  adopt(child: Work): void {
    this.#children ??= new Set();
    this.#children.add(child);
  }

  /** Whether these bytes are its own, to do with them as asked. */
  holds({ start, end, writes }: ByteRange): boolean {
    if (this.task.calls === undefined) return false;
    const isWithin = (own: ByteRange) => own.start <= start && end <= own.end;
    return this.task.accesses.some((own) => isWithin(own) && (own.writes || !writes));
  }

  /** Whether what takes its place may not touch these bytes until its function has returned. */
  keepsOff({ start, end }: ByteRange): boolean {
    if (this.task.calls !== 'kernel' || this.#isDone) return false;
    return this.task.accesses.some((own) => own.writes && start < own.end && own.start < end);
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
      const running = this.#isCancelled ? undefined : this.#call();
      if (running !== undefined) return this.#watch(running);
    } catch (error) {
      this.#settle.reject(error);
      this.#finishOwn();
      return this.ended;
    }
    this.#finishOwn();
    return this.#hasEnded ? undefined : this.ended;
  }

  get #waitsForParent(): boolean {
    return this.#followsParent && this.parent !== null && !this.parent.#isDone;
  }

  /** Runs it, if its memory is still there: JavaScript may have taken its own away. */
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
    this.#settle.resolve();
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

/** Begins all that waits for nothing any more. */
function advance(): void {
  if (isAdvancing) return; // rather than deeper and deeper: the call under way goes on
  isAdvancing = true;
  for (const work of ready) work.begin(); // also what comes meanwhile
  ready.length = 0;
  isAdvancing = false;
}

/** The error for a blocking wait that would never end. */
function unfinished(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_PENDING',
    null,
    'expected work that ends without the event loop, got some that waits for its turn there, or for ' +
      'itself; await synchronize() instead',
  );
}
