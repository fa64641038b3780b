import { mismatch } from '../errors/mismatch.js';
import { type ReadKernel, readKernel } from '../kernel/define-kernel.js';
import type { Kernel } from '../kernel/kernel.js';
import { throwIfAborted } from './abort.js';
import type { Backend } from './array.js';
import { type BoundArguments, bindArguments, writeFirst } from './bind-arguments.js';
import { assertNamesGroup, checkGroup } from './check-group.js';
import { checkQueue } from './check-queue.js';
import type { Driver } from './driver.js';
import { cut, type Grid, readGrid } from './grid.js';
import type { LaunchOptions } from './options.js';
import type { BackendQueue } from './queue.js';
import { unreached } from './queue-for.js';
import { type Checks, checkSignal, readOptions, unchecked } from './read-options.js';

const LAUNCH: Checks<LaunchOptions> = {
  signal: checkSignal,
  range: unchecked,
  group: unchecked,
  queue: checkQueue,
};

/** Launches a kernel; see `Backend.launch`. Null: it is enqueued, with nothing to wait for. */
export function launch(
  backend: Backend,
  driver: Driver,
  launched: Kernel,
  given: LaunchOptions,
  values: object,
  resolve: Parameters<typeof bindArguments>[5],
): Promise<void> | null {
  const { kernel, signature } = readKernel(launched);
  assertCode(backend, kernel);
  const options = readOptions(given, LAUNCH);
  throwIfAborted(options.signal);
  const grid = readGrid(options.range, options.group);
  assertNamesGroup(grid.group, signature);
  const mayOverlap = kernel.mayOverlap === true;
  const bound = bindArguments(backend, driver, signature, mayOverlap, values, resolve);
  let pending: Promise<void> | null = null;
  try {
    throwIfAborted(options.signal); // again: a getter of the arguments may have
    const queue = chooseQueue(driver, bound, options.queue);
    if (grid.range.includes(0)) return null;
    const read = { kernel, signature };
    const run = (built: object) => enqueue(driver, queue, built, read, grid, bound, options);
    const built = driver.build(kernel, signature, queue);
    pending = built instanceof Promise ? afterBuild(built, queue, options, run) : run(built);
    return pending?.finally(bound.release) ?? null;
  } finally {
    if (pending === null) bound.release();
  }
}

/** Runs a kernel once it is built; keeps the queue until then. */
async function afterBuild(
  built: Promise<object>,
  queue: BackendQueue,
  { signal }: LaunchOptions,
  run: (built: object) => Promise<void> | null,
): Promise<void> {
  queue.retain();
  try {
    const made = await built;
    throwIfAborted(signal);
    await run(made);
  } finally {
    queue.release();
  }
}

function assertCode(backend: Backend, { name, code }: Kernel): void {
  if (Object.hasOwn(code, backend.name)) return;
  const known = Object.keys(code);
  throw mismatch(
    'ERR_KERNEL',
    `code.${backend.name}`,
    `code of '${name}' for the ${backend.name} backend`,
    known.length === 0 ? 'none' : `code for ${known.join(', ')} alone`,
    'launch it with one of those, or add the code',
  );
}

/** A queue that reaches all arrays. */
function chooseQueue(
  driver: Driver,
  { arrays }: BoundArguments,
  named: BackendQueue | undefined,
): BackendQueue {
  const written = arrays.find(({ slot }) => slot.writes) ?? arrays[0];
  if (named === undefined && written === undefined) {
    throw mismatch(
      'ERR_ARGUMENT',
      'queue',
      'a queue for a kernel that takes no arrays',
      'none',
      'make one with createQueue()',
    );
  }
  const memory = written?.memory;
  const queue = named ?? memory?.homeQueue ?? driver.defaultQueue(memory as never);
  for (const one of arrays) {
    if (driver.reach(queue, one.memory) !== 'kernels') throw unreached();
  }
  return queue;
}

/** Null: enqueued, with nothing to wait for. */
function enqueue(
  driver: Driver,
  queue: BackendQueue,
  built: object,
  { kernel, signature }: ReadKernel,
  grid: Grid,
  bound: BoundArguments,
  { signal }: LaunchOptions,
): Promise<void> | null {
  const localBytes = bound.local.reduce((sum, { bytes }) => sum + bytes, 0);
  const values = bound.values.bytes;
  const uses = bound.arrays.map(({ memory, slot }) => ({ memory, writes: slot.writes }));
  const arrays = bound.arrays.map(({ array }) => array);
  let last: Promise<void> | null = null;
  const limits = driver.groupLimits(queue, built);
  const group = grid.group ?? driver.groupOf(grid.range, limits);
  checkGroup(kernel, group, bound.local, limits);
  for (const { begin, range } of cut(grid.range, group, driver.launchLimits, signature.slots)) {
    const one = () => {
      writeFirst(bound, signature, begin);
      const piece = { begin, range, group, values, localBytes, uses, arrays, signal };
      return driver.launch(queue, built, piece) ?? null;
    };
    last = last === null ? one() : last.then(() => one() ?? undefined);
  }
  return last;
}
