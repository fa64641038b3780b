import { mismatch } from '../../errors/mismatch.js';
import { throwIfAborted } from '../../input/abort.js';
import { type Checks, checkSignal, readOptions, unchecked } from '../../input/options.js';
import { type ReadKernel, readKernel } from '../../kernel/define-kernel.js';
import type { Kernel } from '../../kernel/kernel.js';
import { unreached } from '../access/queue-for.js';
import type { Backend } from '../interface/array.js';
import type { Driver, Launch } from '../interface/driver.js';
import type { LaunchOptions } from '../interface/options.js';
import { type BackendQueue, checkQueue } from '../interface/queue.js';
import {
  deferIfBlocked,
  deferUntilUnlocked,
  enqueued,
  isNothingDeferred,
  type Task,
} from '../order/deferred-work.js';
import { type BoundArguments, bindArguments, writeFirst } from './bind-arguments.js';
import { assertNamesGroup, checkGroup, groupOf } from './check-group.js';
import { cut, type Grid, readGrid } from './grid.js';

const LAUNCH: Checks<LaunchOptions> = {
  signal: checkSignal,
  range: unchecked,
  group: unchecked,
  queue: checkQueue,
};

/** Launches a kernel. Returns null if it is enqueued and there is nothing to wait for. */
export function launch(
  backend: Backend,
  driver: Driver,
  read: ReadLaunch,
  values: object,
  resolve: Parameters<typeof bindArguments>[5],
): Promise<void> | null {
  const { kernel, signature, options, grid } = read;
  const mayOverlap = kernel.mayOverlap === true;
  const bound = bindArguments(backend, driver, signature, mayOverlap, values, resolve);
  const done = { count: 0 };
  return request(driver, read, bound, () => {
    throwIfAborted(options.signal); // again: a getter of the arguments may have aborted it
    const queue = chooseQueue(driver, bound, options.queue);
    if (grid.range.includes(0)) return null;
    return { queue, run: (built) => enqueue(driver, queue, built, read, bound, done) };
  });
}

/** A launch whose kernel and options were checked. */
export interface ReadLaunch extends ReadKernel {
  readonly options: LaunchOptions;
  readonly grid: Grid;
}

/** Checks all of a launch but its arguments. */
export function readLaunch(backend: Backend, launched: Kernel, given: LaunchOptions): ReadLaunch {
  const { kernel, signature } = readKernel(launched);
  assertCode(backend, kernel);
  const options = readOptions(given, LAUNCH);
  throwIfAborted(options.signal);
  const read = readGrid(options.range, options.group);
  const grid = { ...read, group: groupOf(kernel.name, read, kernel.group) };
  assertNamesGroup(grid.group, signature);
  return { kernel, signature, options, grid };
}

/** Where a launch runs, and how it is enqueued there. */
interface Chosen {
  readonly queue: BackendQueue;
  /** Returns null if there is nothing to wait for. */
  run(built: object): Promise<void> | null;
}

/**
 * Enqueues a launch, now or once what it waits for is. Its memories are retained until then.
 * `choose` returns null if there is nothing to launch.
 */
export function request(
  driver: Driver,
  { kernel, signature, options }: ReadLaunch,
  { arrays, release }: Pick<BoundArguments, 'arrays' | 'release'>,
  choose: () => Chosen | null,
): Promise<void> | null {
  let ended: Promise<unknown> | null = null;
  try {
    const chosen = choose();
    if (chosen === null) return null;
    const { queue } = chosen;
    const run = (made: object) => chosen.run(made);
    const built = driver.build(kernel, signature, queue);
    const task = () => taskOf(driver, queue, options.queue !== undefined, arrays, built, run);
    const isAtOnce = isNothingDeferred() && !(built instanceof Promise);
    let deferred = isAtOnce ? null : deferIfBlocked(task());
    let pending: Promise<void> | null = null;
    try {
      if (deferred === null) pending = run(built);
    } catch (error) {
      deferred = deferUntilUnlocked(task(), error);
    }
    if (deferred !== null) pending = enqueued([deferred], options.signal);
    ended = deferred?.ended ?? pending;
    return pending;
  } finally {
    if (ended === null) release();
    else ended.then(release, release);
  }
}

/** Returns the task of a launch, to be run once the work before it is enqueued. */
function taskOf(
  driver: Driver,
  queue: BackendQueue,
  isNamed: boolean,
  arrays: BoundArguments['arrays'],
  built: object,
  run: (made: object) => Promise<void> | null,
): Task {
  const isBuilt = !(built instanceof Promise);
  let made = built;
  const note = (kernel: object) => {
    made = kernel;
  };
  return {
    queues: [queue],
    isInQueueOrder: isNamed || arrays.every(({ memory }) => queue !== driver.defaultQueue(memory)),
    uses: arrays,
    built: isBuilt ? undefined : built.then(note),
    run: () => run(made) ?? undefined,
  };
}

function assertCode(backend: Backend, { name, code }: Kernel): void {
  if (Object.hasOwn(code, backend.name)) return;
  const known = Object.keys(code);
  throw mismatch(
    'ERR_KERNEL',
    `code.${backend.name}`,
    `code of '${name}' for the ${backend.name} backend`,
    known.length === 0 ? 'none' : `code for ${known.join(', ')} only`,
    'launch it on one of those, or add the code',
  );
}

/** Returns a queue that can access all arrays. */
export function chooseQueue(
  driver: Driver,
  { arrays }: Pick<BoundArguments, 'arrays'>,
  named: BackendQueue | undefined,
): BackendQueue {
  const written = arrays.find(({ slot }) => slot.writes) ?? arrays[0];
  if (named === undefined && written === undefined) {
    throw mismatch(
      'ERR_ARGUMENT',
      'queue',
      'a queue for a kernel that takes no arrays',
      'none',
      'create one with createQueue()',
    );
  }
  const memory = written?.memory;
  const queue = named ?? memory?.homeQueue ?? driver.defaultQueue(memory as never);
  for (const one of arrays) {
    if (driver.reach(queue, one.memory) !== 'kernels') throw unreached();
  }
  return queue;
}

/**
 * Enqueues a launch. Returns null if there is nothing to wait for. `done` counts the pieces of the
 * grid that are enqueued: if another process's lock stopped it half way, the next call continues
 * there.
 */
function enqueue(
  driver: Driver,
  queue: BackendQueue,
  built: object,
  read: ReadLaunch,
  bound: BoundArguments,
  done: { count: number },
): Promise<void> | null {
  let last: Promise<void> | null = null;
  let index = 0;
  for (const piece of piecesOf(driver, queue, built, read, bound)) {
    if (index++ < done.count) continue;
    const one = () => {
      writeFirst(bound, read.signature, piece.begin);
      const pending = driver.launch(queue, built, piece) ?? null;
      done.count++;
      return pending;
    };
    last = last === null ? one() : last.then(() => one() ?? undefined);
  }
  return last;
}

/** Returns the launches of a driver that a launch takes. All share the values of its arguments. */
export function piecesOf(
  driver: Driver,
  queue: BackendQueue,
  built: object,
  { kernel, signature, options, grid }: ReadLaunch,
  bound: Omit<BoundArguments, 'release'>,
): Launch[] {
  const { signal } = options;
  const localBytes = bound.local.reduce((sum, { bytes }) => sum + bytes, 0);
  const values = bound.values.bytes;
  const uses = bound.arrays;
  const arrays = uses.map(({ array }) => array);
  const limits = driver.groupLimits(queue, built);
  const group = groupOf(kernel.name, grid, limits.required) ?? driver.groupOf(grid.range, limits);
  checkGroup(kernel, group, bound.local, limits);
  const pieces = cut(grid.range, group, driver.launchLimits, signature.slots);
  return pieces.map(({ begin, range }) => {
    return { begin, range, group, values, localBytes, uses, arrays, signal };
  });
}
