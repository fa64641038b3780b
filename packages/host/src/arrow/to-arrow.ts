import { ArrayInterfaceError } from '@array-interface/core';
import {
  type ArrowStructs,
  arrowLevels,
  insteadOfOwnArray,
  internals,
} from '@array-interface/core/backend';
import { HostArray } from '../memory/array.js';
import type { HostMemory } from '../memory/memory.js';
import { writableStructs } from './structs.js';

/** Writes a column, as `HostBackend.toArrow` documents. */
export function toArrow(array: HostArray, given: ArrowStructs): void {
  if (!(array instanceof HostArray)) {
    const { got, cure = 'borrow it with asArray(), or copy it with array()' } = insteadOfOwnArray(
      array,
      'host',
    );
    throw new ArrayInterfaceError(
      'ERR_TYPE',
      'array',
      `expected an array of the host backend, got ${got}; ${cure}`,
    );
  }
  const { descriptor } = array;
  const memory = array.memory as HostMemory;
  internals(memory).assertLive('array');
  memory.exportColumn(descriptor, arrowLevels(descriptor), writableStructs(given));
}
