import { type ArrayDescriptor, ArrayInterfaceError, type Backend } from '@array-interface/core';
import { type ArrowStructs, describeArrow, ImportedCapsule } from '@array-interface/core/backend';
import { addon, type LeaseHandle } from '../addon.js';
import { borrow } from '../memory/borrow.js';
import type { HostMemory } from '../memory/memory.js';
import { structReader, writableStructs } from './structs.js';

/** Takes over a column, as `HostBackend.fromArrow` documents. */
export function fromArrow(
  backend: Backend,
  given: ArrowStructs,
): { memory: HostMemory; descriptor: ArrayDescriptor } {
  const structs = writableStructs(given);
  const owner = new ImportedCapsule(null);
  const descriptor = describeArrow(structs, structReader(), owner);
  // Last, so that nothing is taken over if anything is wrong.
  const memory = borrow(backend, descriptor, {}, () => take(structs, owner));
  return { memory, descriptor };
}

function take({ schema, array }: ArrowStructs<bigint>, owner: ImportedCapsule): LeaseHandle {
  const lease = addon().importColumn(schema, array);
  if (lease === null) {
    throw new ArrayInterfaceError(
      'ERR_DISPOSED',
      'structs',
      'expected structs that nobody has released or taken over, got ones whose release is 0; ' +
        'export the column again',
    );
  }
  owner.handle = lease;
  owner.isBorrowed = true;
  return lease;
}
