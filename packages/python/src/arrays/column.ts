import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { ARROW_ARRAY, ARROW_SCHEMA, describeArrow } from '@array-interface/core/backend';
import { addon, type Column } from '../addon.js';

/**
 * Describes a column of Arrow's, with its nulls as a mask. The owner is the column. Throws
 * ERR_DISPOSED if it was released, ERR_POINTER_UNKNOWN, and what `describeArrow` throws.
 */
export function arrayOfColumn(column: Column): ArrayDescriptor {
  assertLive(column.schema + BigInt(ARROW_SCHEMA.release), 'schema');
  assertLive(column.array + BigInt(ARROW_ARRAY.release), 'array');
  return describeArrow(column, read, column);
}

function assertLive(release: bigint, path: string): void {
  if (read(release, 8, `${path}.release`).getBigUint64(0, true) !== 0n) return;
  throw new ArrayInterfaceError(
    'ERR_DISPOSED',
    path,
    'expected a column that nobody has released, got one whose release is 0; export it again',
  );
}

function read(address: bigint, byteLength: number, path: string): DataView {
  const bytes = addon().readMemory(address, byteLength);
  if (bytes !== null) return new DataView(bytes.buffer);
  throw new ArrayInterfaceError(
    'ERR_POINTER_UNKNOWN',
    path,
    `expected ${byteLength} bytes of this process, got 0x${address.toString(16)}, where it has ` +
      'none; check what its library exports',
  );
}
