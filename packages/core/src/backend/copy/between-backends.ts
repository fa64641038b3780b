import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { shareBytes } from '../../overlap/may-share-memory.js';
import { coalesceAxes } from '../../plan/coalesce.js';
import type { DrivenSide, Side } from '../access/acquire.js';
import { queueFor } from '../access/queue-for.js';
import { RetainedMemory } from '../access/retained-memory.js';
import { runExclusive } from '../access/run-exclusive.js';
import { type Driver, driverOf } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';
import type { CopyOptions } from '../interface/options.js';
import { noteUse } from '../order/in-use.js';
import { copyDirectly } from './direct.js';
import { pipeline } from './pipeline.js';
import { ProgressTracker } from './progress.js';
import { throughJavaScript } from './through-javascript.js';
import { type CopyStrategy, runWorkers } from './workers.js';

/**
 * Copies between memories that no queue of one backend can access, after earlier such copies of
 * either memory. Copies in one pass if a queue of one side can access the other's addresses.
 * Otherwise copies through a few buffers that both can access, or else through JavaScript memory.
 * Keeps both memories alive. The copy has ended on both sides when the promise settles.
 * `options.queue`, if any, is a queue of `asked`.
 */
export async function copyBetweenBackends(
  asked: Driver,
  to: Side,
  from: Side,
  options: CopyOptions,
): Promise<void> {
  const { signal, onProgress, queue } = options;
  const tracker = new ProgressTracker(to.array.nbytes, onProgress);
  const kept = [to.memory, from.memory, ...(queue ? [queue] : [])]; // owners may be disposed meanwhile
  for (const one of kept) one.retain();
  const end = noteUse([to.memory, from.memory]);
  try {
    await runExclusive([to.memory, from.memory], signal, async () => {
      const strategy = await chooseStrategy(asked, to, from, options);
      try {
        if (strategy.begin) await strategy.begin(signal);
        await runWorkers(strategy.chunks, strategy.workers, tracker, signal);
      } finally {
        strategy.end();
      }
    });
  } catch (error) {
    throw tracker.interrupted(error, signal);
  } finally {
    end();
    for (const one of kept) one.release();
  }
}

async function chooseStrategy(
  asked: Driver,
  target: Side,
  origin: Side,
  options: CopyOptions,
): Promise<CopyStrategy> {
  const { casting, signal, rounding } = options;
  const [into, outOf] = coalesceAxes(owned(target), owned(origin));
  const to = { array: into, memory: target.memory };
  const from = { array: outOf, memory: origin.memory };
  // The two sides may be the same bytes in two backends. Then no chunk may be written before
  // another is read.
  const isWhole = shareBytes(addressOf(to), addressOf(from));
  const chunkBytes = isWhole ? Number.MAX_SAFE_INTEGER : options.chunkBytes;
  const named = (driver: Driver | null) => (driver === asked ? options.queue : undefined);
  const [near, far] = [driven(to, named), driven(from, named)];
  if (near !== null && far !== null) {
    const strategy =
      copyDirectly(near, far, chunkBytes, rounding) ??
      (await pipeline(near, far, chunkBytes, signal, rounding));
    if (strategy !== null) return strategy;
  }
  const optionsFor = (memory: Memory): CopyOptions => {
    const queue = named(driverOf(memory));
    // Nothing can be ordered after the work of a disposed queue.
    const isUsed = queue?.disposed === false && asked.reach(queue, memory) !== 'no';
    return {
      ...(casting && { casting }),
      ...(rounding && { rounding }),
      ...(isUsed && { queue }),
    };
  };
  return throughJavaScript(to, from, optionsFor, chunkBytes);
}

function driven(
  { array, memory }: Side,
  named: (driver: Driver) => CopyOptions['queue'],
): DrivenSide | null {
  const driver = driverOf(memory);
  if (driver === null) return null;
  return { array, memory, driver, queue: queueFor(driver, memory, named(driver)) };
}

/** Returns the array with an owner that is valid until the copy has ended. */
function owned({ array, memory }: Side): ArrayDescriptor {
  return replace(array, { owner: new RetainedMemory(memory) });
}

/**
 * Returns the array at the address that this process uses, or else at the one that its queues use.
 */
function addressOf({ array, memory }: Side): ArrayDescriptor {
  return memory.onHost(array) ?? memory.onDevice(array);
}
