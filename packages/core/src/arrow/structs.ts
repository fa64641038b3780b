import { badArgument, checkOptions, readOption } from '../input/argument.js';
import { readPointer } from '../input/integer.js';

/** Offsets of the fields of Arrow's C Data Interface, as a C compiler lays them out for 64 bits. */

/** Those of an `ArrowSchema`. */
export const ARROW_SCHEMA = {
  byteLength: 72,
  format: 0,
  metadata: 16,
  children: { count: 32, list: 40 },
  dictionary: 48,
} as const;

/** Those of an `ArrowArray`. */
export const ARROW_ARRAY = {
  byteLength: 80,
  length: 0,
  nullCount: 8,
  offset: 16,
  buffers: { count: 24, list: 40 },
  children: { count: 32, list: 48 },
} as const;

/** Where the two structs of a column are, in memory of this process. */
export interface ArrowStructs<Address = bigint | number> {
  /** Address of an `ArrowSchema`. */
  readonly schema: Address;
  /** Address of an `ArrowArray`. */
  readonly array: Address;
}

/** Reads the addresses. Throws ERR_ARGUMENT, ERR_TYPE, ERR_POINTER_RANGE. */
export function readArrowStructs(value: ArrowStructs): ArrowStructs<bigint> {
  if (typeof value !== 'object' || value === null)
    throw badArgument('structs', 'addresses, { schema, array }', value);
  checkOptions(value, ['schema', 'array']);
  const schema = readPointer(readOption(value, 'schema'), 'schema');
  return { schema, array: readPointer(readOption(value, 'array'), 'array') };
}
