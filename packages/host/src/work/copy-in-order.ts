import { type CopyPlan, encodePlan, internals, isContiguous } from '@array-interface/core/backend';
import { addon } from '../addon.js';
import { HostMemory } from '../memory/memory.js';
import { isAccessed } from '../order/dependencies.js';
import { enter, isIdle, mustWait } from '../order/pending-work.js';
import type { HostQueue } from '../order/queue.js';
import type { Access } from '../order/work.js';

/**
 * Copies immediately, or as soon as the work that it depends on has ended. Reads JavaScript memory
 * now, unless a kernel writes it. Keeps the memories alive until the copy has ended.
 */
export function copyInOrder(
  queue: HostQueue,
  plan: CopyPlan,
  target: HostMemory,
  origin: HostMemory,
): void {
  if (isIdle()) {
    runCopy(queue, plan);
    return;
  }
  const into = destinationOf(plan, target);
  const outOf = sourceOf(plan, origin);
  if (!mustWait(queue, [into, outOf])) {
    runCopy(queue, plan);
    return;
  }
  const isRead = origin.buffer !== null && !isAccessed([outOf]);
  const memory = isRead ? setAside(origin, outOf) : origin;
  const { start, end } = isRead ? memory.access(false) : outOf;
  const copied = { ...plan, source: plan.source - outOf.start + start };
  const kept = [target, memory].map(internals);
  for (const one of kept) one.retain();
  const run = () => {
    runCopy(queue, copied);
    return undefined;
  };
  const accesses = [into, { memory, start, end, writes: false }];
  const release = () => {
    for (const one of kept) one.release();
  };
  try {
    void enter({ queue, accesses, run })?.then(release, release);
  } catch (error) {
    release(); // the copy was not enqueued
    throw error;
  }
}

function runCopy({ threads }: HostQueue, plan: CopyPlan): void {
  const { destination, source, nbytes } = plan;
  if (threads === 1 && isContiguous(plan)) addon().copyBytes(destination, source, nbytes);
  else addon().copy(encodePlan(plan), threads);
}

/** The bytes that a copy writes. */
function destinationOf(
  { destination, shape, destinationStrides, unit }: CopyPlan,
  memory: HostMemory,
): Access {
  return { ...rangeOf(destination, shape, destinationStrides, unit), memory, writes: true };
}

/** The bytes that a copy reads. */
function sourceOf(
  { source, shape, sourceStrides, unit, conversion }: CopyPlan,
  memory: HostMemory,
): Access {
  const size = conversion === null ? unit : Number(conversion.from.replace(/\D+/, ''));
  return { ...rangeOf(source, shape, sourceStrides, size), memory, writes: false };
}

function rangeOf(
  pointer: bigint,
  shape: readonly number[],
  strides: readonly number[],
  size: number,
): { readonly start: bigint; readonly end: bigint } {
  let [low, high] = [0, size];
  for (const [axis, length] of shape.entries()) {
    const last = (length - 1) * (strides[axis] as number);
    if (last < 0) low += last;
    else high += last;
  }
  return { start: pointer + BigInt(low), end: pointer + BigInt(high) };
}

/** Copies the same bytes into a new buffer. */
function setAside({ backend, buffer, pointer }: HostMemory, { start, end }: Access): HostMemory {
  const [from, length] = [Number(start - pointer), Number(end - start)];
  const bytes = new Uint8Array(buffer as ArrayBuffer, from, length).slice();
  return HostMemory.ofBuffer(backend, bytes.buffer);
}
