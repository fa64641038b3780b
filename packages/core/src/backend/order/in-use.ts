import { rangeOf, type TrackedMemory } from './wait-list.js';

/** What is being worked on, in steps that no queue knows of. */
interface InUse {
  readonly memories: readonly TrackedMemory[];
  readonly buffer: ArrayBufferLike | null;
}

const all = new Set<InUse>();

/**
 * Notes that work of several steps has begun on memories, or in a buffer of JavaScript. Returns the
 * function that notes its end.
 */
export function noteUse(
  memories: readonly TrackedMemory[],
  buffer: ArrayBufferLike | null = null,
): () => void {
  const use = { memories, buffer };
  all.add(use);
  return () => void all.delete(use);
}

/** Returns whether such work is going on in a memory, whoever borrowed it. */
export function isInUse(
  memory: TrackedMemory & { readonly buffer: ArrayBufferLike | null },
): boolean {
  for (const { memories, buffer } of all) {
    if (buffer !== null && buffer === memory.buffer) return true;
    if (memories.some((one) => overlaps(one, memory))) return true;
  }
  return false;
}

function overlaps(one: TrackedMemory, other: TrackedMemory): boolean {
  if (one.backend !== other.backend) return false;
  const [a, b] = [rangeOf(one, true), rangeOf(other, true)];
  return a.start < b.end && b.start < a.end;
}
