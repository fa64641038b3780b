import { badArgument, checkOptions, readOption } from '../input/argument.js';
import { readPointer } from '../input/integer.js';

/** Offsets of the fields of an `ArrowSchema`, as a C compiler lays them out for 64 bits. */
export const ARROW_SCHEMA = {
  byteLength: 72,
  format: 0,
  metadata: 16,
  children: { count: 32, list: 40 },
  dictionary: 48,
  release: 56,
} as const;

/** Those of an `ArrowArray`. */
export const ARROW_ARRAY = {
  byteLength: 80,
  length: 0,
  nullCount: 8,
  offset: 16,
  buffers: { count: 24, list: 40 },
  children: { count: 32, list: 48 },
  release: 64,
} as const;

/** Where the two structs of a column are, in memory of this process. */
export interface ArrowStructs<Address = bigint | number> {
  /** Address of an `ArrowSchema`, 72 bytes. */
  readonly schema: Address;
  /** Address of an `ArrowArray`, 80 bytes. */
  readonly array: Address;
}

/**
 * Reads the addresses of two structs that share no byte. Throws ERR_ARGUMENT, ERR_TYPE,
 * ERR_POINTER_RANGE.
 */
export function readArrowStructs(value: ArrowStructs): ArrowStructs<bigint> {
  if (typeof value !== 'object' || value === null)
    throw badArgument('structs', 'addresses, { schema, array }', value);
  checkOptions(value, ['schema', 'array']);
  const schema = readPointer(readOption(value, 'schema'), 'schema');
  const array = readPointer(readOption(value, 'array'), 'array');
  const isApart =
    schema + BigInt(ARROW_SCHEMA.byteLength) <= array ||
    array + BigInt(ARROW_ARRAY.byteLength) <= schema;
  if (isApart) return { schema, array };
  throw badArgument('array', 'a struct that shares no byte with the schema', array);
}

/** Reads bytes of this process, or throws an error with the path. */
export type ReadStruct = (address: bigint, byteLength: number, path: string) => DataView;
