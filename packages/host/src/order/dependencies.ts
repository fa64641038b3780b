import { ArrayInterfaceError } from '@array-interface/core';
import type { LastAccesses } from '@array-interface/core/backend';
import {
  type Access,
  asker,
  type Dependencies,
  lastAccesses,
  type Task,
  type Work,
} from './work.js';

/**
 * Orders new work after everything that it conflicts with. Work that a caller's function enqueues
 * is nested in the work that called the function, on that work's bytes. It then runs before
 * whatever was enqueued after the outer work, even though it was enqueued later. Throws ERR_PENDING
 * if other bytes that it needs depend on the outer work.
 */
export function dependenciesOf(task: Task): Dependencies {
  return dependenciesWithin(task, asker());
}

/** True if new work would have to wait for the memory that it accesses. Ignores its queue. */
export function isAccessed(accesses: readonly Access[]): boolean {
  return accesses.some((access) => {
    const holder = holderOf(access, asker());
    const [first] = orderOf(holder).find(access);
    return first !== undefined || holder?.keepsOff(access) === true;
  });
}

/**
 * Returns the pending work that is ordered before a call made now. Within a `use`, excludes that
 * use itself. Work ordered after the use is replaced by what that work waits for.
 */
export function soFar(works: Iterable<Work>): ReadonlySet<Work> {
  const found = new Set(works);
  const uses = new Set([...around(asker())].filter(({ task }) => task.calls === 'use'));
  if (uses.size === 0) return found;
  for (const work of found) {
    if (!comesAfter(work, uses)) continue;
    found.delete(work);
    if (!uses.has(work)) for (const earlier of work.earlier) found.add(earlier);
  }
  return found;
}

/**
 * Throws ERR_PENDING if, within a `use`, some of the work cannot end before the use does. The queue
 * would wait for itself.
 */
export function assertBefore(works: readonly Work[]): void {
  const before = soFar(works);
  if (works.every((work) => before.has(work))) return;
  throw new ArrayInterfaceError(
    'ERR_PENDING',
    'event',
    'expected an event of work that can end before this use does, got one of later work; ' +
      'wait for it after the use',
  );
}

/**
 * Yields the work that must end before new work on these bytes, if the current caller enqueues it.
 */
export function* lastAt(access: Access): Iterable<Work> {
  for (const work of around(asker())) yield* work.order?.find(access) ?? [];
  yield* lastAccesses.find(access);
}

function dependenciesWithin(task: Task, within: Work | null): Dependencies {
  const { queue, accesses } = task;
  const holders = accesses.map((access) => holderOf(access, within));
  const orders = holders.map(orderOf);
  const earlier = new Set<Work>();
  for (const [index, access] of accesses.entries()) {
    for (const work of orders[index]?.find(access) ?? []) earlier.add(work);
  }
  const parent = [...around(within)].find((work) => holders.includes(work)) ?? null;
  if (parent === null) {
    for (const work of queue.gates) earlier.add(work);
    return { earlier, parent, orders };
  }
  const own = new Set(ancestry(parent));
  for (const work of earlier) {
    if (work.parent === parent || !comesAfter(work, own)) continue;
    if (parent.task.calls === 'use') throw elsewhere();
    return dependenciesWithin(task, parent.parent); // a kernel must end first in any case
  }
  for (const work of queue.gates) {
    // otherwise the queue was waiting when the parent began
    if (!comesAfter(work, own)) earlier.add(work);
  }
  return { earlier, parent, orders };
}

/** The work in which work on these bytes is nested. Null if there is none. */
function holderOf(access: Access, within: Work | null): Work | null {
  for (const work of around(within)) if (work.holds(access)) return work;
  return null;
}

function orderOf(holder: Work | null): LastAccesses<Work> {
  return holder?.order ?? lastAccesses;
}

/** The work whose functions are running, nested in one another; the innermost first. */
function* around(work: Work | null): Iterable<Work> {
  for (let one = work; one !== null; one = one.outer) yield one;
}

/** Work, and all its parents, which cannot end before it. */
function* ancestry(work: Work): Iterable<Work> {
  for (let one: Work | null = work; one !== null; one = one.parent) yield one;
}

/** True if work is one of these, or cannot end before one of them has. */
function comesAfter(work: Work, those: ReadonlySet<Work>): boolean {
  const all = new Set([work]);
  for (const one of all) {
    if (those.has(one)) return true;
    for (const needed of one.needs()) all.add(needed);
  }
  return false;
}

function elsewhere(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_PENDING',
    null,
    'expected an array that the use names, or that no later work uses, got another; name it in ' +
      'reads or writes',
  );
}
