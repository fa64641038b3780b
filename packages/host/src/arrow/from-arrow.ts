import type { ArrayDescriptor, Backend } from '@array-interface/core';
import { ArrayInterfaceError } from '@array-interface/core';
import { type ArrowStructs, describeArrow, ImportedCapsule } from '@array-interface/core/backend';
import { addon } from '../addon.js';
import { borrow } from '../memory/borrow.js';
import type { HostMemory } from '../memory/memory.js';
import { memoryReader, writableStructs } from './structs.js';

/** Takes over a column, as `HostBackend.fromArrow` documents. */
export function fromArrow(
  backend: Backend,
  given: ArrowStructs,
): { memory: HostMemory; descriptor: ArrayDescriptor } {
  const structs = writableStructs(given);
  const lease = addon().importColumn(structs.schema, structs.array);
  if (lease === null) throw released();
  try {
    const owner = new ImportedCapsule(lease);
    // Nothing but `release` has changed in the structs that were moved.
    const descriptor = describeArrow(structs, { read: memoryReader(), owner });
    return { memory: borrow(backend, descriptor, {}), descriptor };
  } catch (error) {
    addon().release(lease);
    throw error;
  }
}

function released(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_DISPOSED',
    'structs',
    'expected structs that nobody has released or taken over, got ones whose release is 0; ' +
      'export the column again',
  );
}
