import type { Use } from '../interface/driver.js';
import type { Memory } from '../interface/memory.js';

/** What native code is told of uses: the memories that are written, and those that are only read. */
export function splitUses<M extends Memory, Handle>(
  uses: readonly Use[],
  handleOf: (memory: M) => Handle,
): readonly [written: readonly Handle[], read: readonly Handle[]] {
  const written: Handle[] = [];
  const read: Handle[] = [];
  for (const { memory, writes } of uses) (writes ? written : read).push(handleOf(memory as M));
  return [written, read];
}
