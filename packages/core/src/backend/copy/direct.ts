import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { abortable } from '../../input/abort.js';
import type { Rounding } from '../../numbers/rounding.js';
import { chunksOf } from '../../plan/chunks.js';
import type { DrivenSide, Side } from '../access/acquire.js';
import { settle } from '../access/settle.js';
import type { ImportedMemory } from '../interface/driver.js';
import { nextTask } from '../order/next-task.js';
import { copyAndWait } from './copy-and-wait.js';
import type { CopyStrategy, Worker } from './workers.js';

/** Bytes of one chunk. Between two chunks a signal can end the copy and progress is reported. */
const PASS_BYTES = 64 * 1024 * 1024;
/** Two workers: the next chunk is enqueued while one is being copied. */
const WORKERS = 2;

/**
 * The strategy if a queue of one side can access the other's memory: directly from memory to
 * memory. It begins when all work on the other side has ended, and leaves no pending work there for
 * the other side to wait for. Null if neither side can access the other.
 */
export function copyDirectly(
  to: DrivenSide,
  from: DrivenSide,
  chunkBytes: number = PASS_BYTES,
  rounding?: Rounding,
): CopyStrategy | null {
  // A device's queue does the work rather than the calling thread.
  const sides = to.driver.isSynchronous ? [from, to] : [to, from];
  for (const working of sides) {
    const other = working === to ? from : to;
    if (other.memory.allocation === null) continue; // the memory was not proved to exist
    const imports = importFor(working, other, to.array.nbytes > chunkBytes ? WORKERS : 1);
    if (imports.length === 0) continue;
    const begin = async (signal: AbortSignal | undefined) => {
      await abortable(settle(other.driver, other.queue, other.memory), signal);
    };
    return {
      chunks: chunksOf(to.array, from.array, chunkBytes),
      workers: imports.map((imported) =>
        makeWorker(working, other, imported, working === to, rounding),
      ),
      begin,
      end: () => endAll(imports),
    };
  }
  return null;
}

/** Makes one import for each worker, so that a worker waits only for its own work. */
function importFor(working: DrivenSide, other: DrivenSide, most: number): ImportedMemory[] {
  const { driver, queue } = working;
  const imports: ImportedMemory[] = [];
  try {
    while (imports.length < (driver.isSynchronous ? 1 : most)) {
      const imported = driver.import(other.array, other.memory, queue);
      if (imported === null) break;
      imports.push(imported);
    }
    return imports;
  } catch (error) {
    endAll(imports);
    throw error;
  }
}

function makeWorker(
  working: DrivenSide,
  other: DrivenSide,
  imported: ImportedMemory,
  isTarget: boolean,
  rounding: Rounding | undefined,
): Worker {
  const apart = imported.array.pointer - other.array.pointer;
  let isFirst = true;
  const seen = (array: ArrayDescriptor): Side => {
    const { memory } = imported;
    return { memory, array: replace(array, { pointer: array.pointer + apart, owner: memory }) };
  };
  return async (into, outOf, failed) => {
    if (working.driver.isSynchronous && !isFirst) await nextTask();
    isFirst = false;
    const [own, others] = isTarget ? [into, outOf] : [outOf, into];
    working.memory.assertHolds(own, isTarget ? 'destination' : 'source');
    other.memory.assertHolds(others, isTarget ? 'source' : 'destination');
    const mine = { array: own, memory: working.memory };
    const [target, origin] = isTarget ? [mine, seen(others)] : [seen(others), mine];
    await copyAndWait(working, target, origin, imported.memory, failed, rounding);
  };
}

function endAll(imports: readonly ImportedMemory[]): void {
  for (const { memory } of imports) memory.end();
}
