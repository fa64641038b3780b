import { ArrayInterfaceError } from '@array-interface/core';
import {
  type ArrowStructs,
  arrowLevels,
  insteadOfOwnArray,
  internals,
} from '@array-interface/core/backend';
import { HostArray } from '../memory/array.js';
import { borrow } from '../memory/borrow.js';
import type { HostMemory } from '../memory/memory.js';
import { writableStructs } from './structs.js';

/** Writes a column, as `HostBackend.toArrow` documents. */
export function toArrow(array: HostArray, given: ArrowStructs): void {
  if (!(array instanceof HostArray)) {
    const instead = insteadOfOwnArray(array, 'host');
    const cure = instead.cure ?? 'borrow it with asArray(), or copy it with array()';
    const message = `expected an array of the host backend, got ${instead.got}; ${cure}`;
    throw new ArrayInterfaceError('ERR_TYPE', 'array', message);
  }
  const { descriptor } = array;
  const memory = array.memory as HostMemory;
  internals(memory).assertEnqueued('array');
  const levels = arrowLevels(descriptor);
  const structs = writableStructs(given);
  const { mask } = descriptor;
  const isCopied = mask === null || mask.buffer !== null;
  const bits = isCopied ? null : borrow(memory.backend, mask, {});
  try {
    memory.exportColumn(descriptor, levels, bits, structs);
  } finally {
    internals(bits)?.end();
  }
}
