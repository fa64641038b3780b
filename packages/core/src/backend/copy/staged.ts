import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import { type DType, sameDType } from '../../dtype/dtype.js';
import { isArrayInterfaceError } from '../../errors/error.js';
import type { Rounding } from '../../numbers/rounding.js';
import { shareBytes } from '../../overlap/may-share-memory.js';
import { chunksOf, stagedDType } from '../../plan/chunks.js';
import { coalesceAxes } from '../../plan/coalesce.js';
import { planCopy } from '../../plan/plan-copy.js';
import type { Side } from '../access/acquire.js';
import { Deadline } from '../access/deadline.js';
import { enqueue } from '../access/enqueue.js';
import { inOrderOf } from '../access/queue-for.js';
import type { Driver } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';
import type { BackendQueue } from '../interface/queue.js';
import { enqueueCopy } from './enqueue-copy.js';

/** Bytes of a temporary. */
const CHUNK_BYTES = 16 * 1024 * 1024;
/**
 * Number of temporaries of a side: one is packed while another is copied across and a third is
 * unpacked.
 */
const TEMPORARIES = 3;

/** Temporaries on one side, used in rotation; `enqueue` keeps the work on each in order. */
interface Temporaries {
  readonly queue: BackendQueue;
  readonly memories: readonly Memory[];
}

/**
 * Enqueues a copy within one backend if no queue's kernels can access both sides. Each side packs,
 * unpacks or converts its own elements, through a few bounded chunks; contiguous bytes are copied
 * across. All of it keeps the order of `queue`. Returns false if not even contiguous bytes can be
 * copied across; nothing was then enqueued.
 */
export function copyStaged(
  driver: Driver,
  queue: BackendQueue,
  to: Side,
  from: Side,
  rounding?: Rounding,
): boolean {
  const near = driver.defaultQueue(from.memory);
  const far = driver.defaultQueue(to.memory);
  for (const one of [near, far]) {
    const reachesBoth = [to, from].every(({ memory }) => driver.reach(one, memory) === 'kernels');
    if (!reachesBoth) continue;
    inOrderOf(queue, one, one, () => enqueueCopy(driver, one, to, from, undefined, rounding));
    return true;
  }
  if (driver.reach(far, from.memory) === 'no') return false;
  inOrderOf(queue, near, far, () => copyChunks(driver, near, far, to, from, rounding));
  return true;
}

function copyChunks(
  driver: Driver,
  near: BackendQueue,
  far: BackendQueue,
  to: Side,
  from: Side,
  rounding: Rounding | undefined,
): void {
  const [into, outOf] = coalesceAxes(to.array, from.array);
  const staged = stagedDType(into, outOf);
  const isShared = shareBytes(to.memory.onDevice(into), from.memory.onDevice(outOf));
  // No chunk may be written before another of the same bytes is read.
  const elements = isShared ? into.size : Math.max(1, Math.floor(CHUNK_BYTES / staged.itemsize));
  const chunks = [...chunksOf(into, outOf, elements * into.itemsize)];
  const packs = isShared || chunks.some(([, chunk]) => !isDense(chunk, staged));
  const unpacks = chunks.some(([chunk]) => !isDense(chunk, staged));
  const count = Math.min(TEMPORARIES, chunks.length);
  const byteLength = Math.min(elements, into.size) * staged.itemsize;
  const deadline = new Deadline();
  const made: Memory[] = [];
  const make = (queue: BackendQueue): Temporaries => {
    const memories = allocate(driver, queue, byteLength, count, deadline);
    made.push(...memories);
    return { queue, memories };
  };
  try {
    const packed = packs ? make(near) : null;
    const unpacked = unpacks ? make(far) : null;
    for (const [index, [chunk, source]] of chunks.entries()) {
      let crossing: Side = { array: source, memory: from.memory };
      if (packed !== null && (isShared || !isDense(source, staged))) {
        const pack = at(packed, index, source.shape, staged);
        enqueueCopy(driver, near, pack, crossing, deadline, rounding);
        crossing = pack;
      }
      const target: Side = { array: chunk, memory: to.memory };
      if (unpacked === null || isDense(chunk, staged)) {
        cross(driver, far, target, crossing);
        continue;
      }
      const landed = at(unpacked, index, chunk.shape, staged);
      cross(driver, far, landed, crossing);
      enqueueCopy(driver, far, target, landed, deadline, rounding);
    }
  } finally {
    for (const memory of made) memory.end();
  }
}

/** Copies contiguous bytes, which the runtime copies between any two memories. */
function cross(driver: Driver, queue: BackendQueue, to: Side, from: Side): void {
  const plan = planCopy(to.memory.onDevice(to.array), from.memory.onDevice(from.array));
  enqueue(driver, queue, plan, to.memory, from.memory);
}

/**
 * Whether the elements are contiguous in the dtype in which they are copied across, so that nothing
 * is packed.
 */
function isDense(array: ArrayDescriptor, dtype: DType): boolean {
  return array.contiguous.c && sameDType(array.dtype, dtype);
}

function at(
  { memories }: Temporaries,
  index: number,
  shape: readonly number[],
  dtype: DType,
): Side {
  const memory = memories[index % memories.length] as Memory;
  const layout = relativeLayout(shape, dtype);
  return { memory, array: replace(layout, { pointer: memory.pointer, owner: memory }) };
}

/**
 * Allocates up to `count` temporaries, as many as there is memory for. Throws ERR_OUT_OF_MEMORY if
 * there is none for one.
 */
function allocate(
  driver: Driver,
  queue: BackendQueue,
  byteLength: number,
  count: number,
  deadline: Deadline,
): Memory[] {
  const memories = [driver.allocate(byteLength, { queue }, deadline.left)];
  try {
    while (memories.length < count) memories.push(driver.allocate(byteLength, { queue }, 0));
  } catch (error) {
    if (!isArrayInterfaceError(error, 'ERR_OUT_OF_MEMORY')) throw error;
  }
  return memories;
}
