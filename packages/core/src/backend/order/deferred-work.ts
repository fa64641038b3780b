import { mismatch } from '../../errors/mismatch.js';
import { isLockHeld, pause, whenLockIsFree } from './lock.js';
import { type Accesses, type NativeQueue, type PlacedMemory, WaitList } from './wait-list.js';

/** What is kept until work has had its turn. */
interface Kept {
  retain(): void;
  release(): void;
}

/** Work as it is asked for. */
export interface Task extends Accesses {
  readonly queues: readonly (NativeQueue & Kept)[];
  readonly uses: readonly { readonly memory: PlacedMemory & Kept; readonly writes: boolean }[];
  /**
   * Settles when its kernel is built, or another process may have let go of a lock; rejects with what the
   * work then fails with.
   */
  readonly built?: Promise<unknown> | undefined;
  /**
   * Enqueues it. A promise where it is enqueued later. Called again, at once or within its turn, where it
   * threw since another process holds a lock.
   */
  run(): void | Promise<void>;
}

/** Where work is asked for now. What work in its turn asks for has a line of its own. */
let line = new WaitList<DeferredWork>();
/** Those that have not ended, by their numbers. */
const waiting = new Map<number, DeferredWork>();
let asked = 0;
/** Those that wait for nothing any more. */
const ready: DeferredWork[] = [];
let isAdvancing = false;

/**
 * The turn of work that waits for its kernel to be built, for a lock that another process holds, or for
 * such work before it. What is asked for
 * later, of the same memories or the same queues, comes after it, also where it fails. It keeps
 * memories and queues. No thread waits.
 */
export class DeferredWork {
  /** Settles when the work is enqueued; rejects as it failed, maybe before its turn. */
  readonly enqueued: Promise<void>;
  /** Settles when those behind it may go on. */
  readonly ended: Promise<void>;
  readonly #number = ++asked;
  readonly #task: Task;
  readonly #line: WaitList<DeferredWork>;
  /** Those that it still follows. */
  readonly #earlier: Set<DeferredWork>;
  /** Those that follow it. */
  readonly #later: DeferredWork[] = [];
  /** All of one call, which fail together. */
  #call: readonly DeferredWork[] = [];
  #resolve: () => void = () => {};
  #reject: (reason: unknown) => void = () => {};
  #endWaits: () => void = () => {};
  #isBuilt: boolean;
  #isReady = false;
  #hasBegun = false;
  #hasFailed = false;
  /** Since when a lock has been waited for, by this or by what it came after. */
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
    this.enqueued.catch(() => {}); // whoever asked for it hears of it
    this.ended = new Promise((resolve) => {
      this.#endWaits = resolve;
    });
    for (const turn of earlier) turn.#later.push(this);
    for (const kept of this.#kept()) kept.retain();
    of.add(this, task);
    waiting.set(this.#number, this);
    task.built?.then(
      () => this.#pass(),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Settles when the work of one call is enqueued. Where some fails, the rest is given up. */
  static async all(turns: readonly DeferredWork[]): Promise<void> {
    for (const turn of turns) turn.#call = turns;
    await Promise.all(turns.map((turn) => turn.enqueued));
  }

  /** Whether it has had its turn, or has it. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether it is work of a backend. */
  isOf(backend: object): boolean {
    const { uses } = this.#task;
    return uses.length === 0 || uses.some(({ memory }) => memory.backend === backend);
  }

  /** Gives up work that has not had its turn. */
  giveUp(reason: unknown): void {
    if (!this.#hasBegun) this.#fail(reason);
  }

  /** Has its turn. */
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

  /** It waits for no build any more, but for those before it: others follow them through it. */
  #fail(reason: unknown): void {
    this.#hasFailed = true;
    this.#reject(reason);
    for (const turn of this.#call) if (!turn.#hasFailed) turn.giveUp(reason);
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
      return whenLockIsFree(() => askedIn(inner, () => this.#task.run()), this.#waitsSince);
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  async #endAfter(running: Promise<void> | null, rest: readonly Promise<void>[]): Promise<void> {
    try {
      await running;
    } catch (error) {
      // What comes after it has waited as long, and for the same process.
      if (isLockHeld(error)) for (const turn of this.#later) turn.#waitsSince ??= this.#waitsSince;
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
    for (const turn of this.#later) {
      turn.#earlier.delete(this);
      turn.#advanceIfFirst();
    }
    for (const kept of this.#kept()) kept.release();
    advance();
  }
}

/** Lets all have their turns that wait for nothing any more. */
function advance(): void {
  if (isAdvancing) return; // rather than deeper and deeper: the call under way goes on
  isAdvancing = true;
  try {
    for (let turn = ready.shift(); turn !== undefined; turn = ready.shift()) turn.begin();
  } finally {
    isAdvancing = false;
  }
}

function askedIn<T>(inner: WaitList<DeferredWork>, work: () => T): T {
  const outer = line;
  line = inner;
  try {
    return work();
  } finally {
    line = outer;
  }
}

/** Whether nothing waits: one comparison, which is all that work pays while no kernel is built. */
export function isOpen(): boolean {
  return line.works.size === 0;
}

/** The turn of work that has to wait. Null: it is the caller's to do now. */
export function takeTurn(task: Task): DeferredWork | null {
  if (task.built === undefined && isOpen()) return null;
  const earlier = line.earlierThan(task);
  return task.built === undefined && earlier.size === 0
    ? null
    : new DeferredWork(line, task, earlier);
}

/** Does work now, or in its turn. */
export function inTurn(task: Task): void {
  if (takeTurn(task) !== null) return;
  try {
    const told = task.run();
    if (told !== undefined) holdCall(told);
  } catch (error) {
    turnAfterLock(task, error);
  }
}

/** The turn of work that was refused since another process holds a lock. Throws any other refusal. */
export function turnAfterLock(task: Task, refusal: unknown): DeferredWork {
  if (!isLockHeld(refusal)) throw refusal;
  return new DeferredWork(line, { ...task, built: pause() }, line.earlierThan(task));
}

/**
 * Has the call that is under way wait for a promise, since other processes have still to learn of what it
 * enqueued. Nothing comes after that: the driver keeps the order of the work itself.
 */
export function holdCall(told: Promise<void>): void {
  const task = { queues: [], isInQueueOrder: false, uses: [], run: () => told };
  new DeferredWork(new WaitList(), task, new Set()).begin();
}

/** Does work as if nothing waited. */
function atOnce<T>(work: () => T): T {
  return askedIn(new WaitList(), work);
}

/** How many had to wait so far; for `enqueuedSince`. */
export function countTurns(): number {
  return asked;
}

/**
 * Settles when that is enqueued which had to wait since an earlier count. It is what one call asked
 * for: where some fails, the rest is given up, and a signal gives up all if none has begun. Null: there
 * is none.
 */
export function enqueuedSince(count: number, signal?: AbortSignal): Promise<void> | null {
  if (count === asked) return null;
  const turns: DeferredWork[] = [];
  for (let number = count + 1; number <= asked; number++) {
    const turn = waiting.get(number);
    if (turn !== undefined) turns.push(turn);
  }
  return enqueued(turns, signal);
}

/** Settles when the work of one call is enqueued, unless a signal gives it up. */
export function enqueued(turns: readonly DeferredWork[], signal?: AbortSignal): Promise<void> {
  const all = DeferredWork.all(turns);
  if (signal === undefined) return all;
  const giveUp = () => {
    if (turns.some(({ hasBegun }) => hasBegun)) return;
    const reason = reasonOf(signal);
    for (const turn of turns) turn.giveUp(reason);
  };
  try {
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  } catch (error) {
    for (const turn of turns) turn.giveUp(error); // a signal of somebody else's making
  }
  const forget = () => signal.removeEventListener('abort', giveUp);
  all.then(forget, forget).catch(() => {}); // what it throws is nobody's answer
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

/** All that waits of a backend. */
export function waitingOf(backend: object): readonly DeferredWork[] {
  return isOpen() ? NONE : [...line.works].filter((turn) => turn.isOf(backend));
}

/** What waits to touch a memory. */
export function waitingAt(memory: PlacedMemory): readonly DeferredWork[] {
  return isOpen() ? NONE : line.lastAt(memory);
}

/** What waits to go on a queue. */
export function waitingOn(queue: NativeQueue): readonly DeferredWork[] {
  return isOpen() ? NONE : line.lastOn(queue);
}

/** Begins to wait for work once all before it is enqueued, or now. */
export async function afterTurns<T>(
  turns: readonly DeferredWork[],
  work: () => T | Promise<T>,
): Promise<T> {
  if (turns.length === 0) return work();
  await Promise.all(turns.map(({ ended }) => ended));
  return atOnce(work);
}

/** Throws ERR_PENDING where others would have to wait for what waits. */
export function assertNoTurn(turns: readonly DeferredWork[], path: string): void {
  if (turns.length === 0) return;
  throw mismatch(
    'ERR_PENDING',
    path,
    'work that is enqueued, so that others can come after it',
    'some that waits for a kernel which is being built, or for a lock that another process holds',
    `first await the launch, the ${path}'s synchronize() or the backend's whenKernelsReady()`,
  );
}
