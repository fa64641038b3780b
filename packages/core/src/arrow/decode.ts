import type { DType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { bytesAt, type ReadMemory } from '../input/foreign-memory.js';
import { readDimension, toCount } from '../input/integer.js';
import { MAX_RANK } from '../input/shape.js';
import { readExtension, type Tensor } from './extension.js';
import { parseFormat, unsupported } from './format.js';
import { ARROW_ARRAY, ARROW_SCHEMA } from './structs.js';

/** A column of fixed-size elements, or of fixed-size lists of them, as its structs describe it. */
export interface ArrowColumn {
  /** The elements' dtype. Null for lists. */
  readonly dtype: DType | null;
  /** Columns of lists have a child with this many elements for each list. 1 for elements. */
  readonly listLength: number;
  /** The axes of a tensor, as the extension type `arrow.fixed_shape_tensor` names them. */
  readonly tensor: Tensor | null;
  /** How many elements or lists there are, after the offset. */
  readonly length: number;
  /** How many of them are null; -1 if that is not known. */
  readonly nullCount: number;
  /** How many elements, lists and bits to skip. */
  readonly offset: number;
  /** Address of the bits that say which are valid; 0 if all are. */
  readonly validity: bigint;
  /** Address of the elements; 0 for lists. */
  readonly values: bigint;
  /** The column that lists are parts of. */
  readonly child: ArrowColumn | null;
  /** Where it was found, for error messages. */
  readonly path: string;
}

/** The structs of a column. */
export interface Place {
  readonly schema: bigint;
  readonly array: bigint;
  /** `.children[0]` for the column of a list's elements; empty for the whole column. */
  readonly path: string;
}

const LONGEST_TEXT = 4096;

/**
 * Reads the structs of a column, and of those that its lists are parts of. Copies none of the
 * elements, and calls nothing. Does not ask whether they were released. Throws
 * ERR_DTYPE_UNSUPPORTED, ERR_TYPE, ERR_NULL_POINTER, ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW,
 * ERR_RANK_MISMATCH, and what `read` throws.
 */
export function decodeColumn(place: Place, read: ReadMemory, depth = 1): ArrowColumn {
  const schema = new Struct(read, place.schema, ARROW_SCHEMA.byteLength, `schema${place.path}`);
  const array = new Struct(read, place.array, ARROW_ARRAY.byteLength, `array${place.path}`);
  const path = `${schema.path}.format`;
  const text = readText(read, schema.pointer(ARROW_SCHEMA.format), path);
  if (schema.pointer(ARROW_SCHEMA.dictionary) !== 0n) {
    throw unsupported(`${schema.path}.dictionary`, 'a dictionary', 'decode the column first');
  }
  const format = parseFormat(text, path);
  const isList = format.dtype === undefined;
  const extension = readExtension(read, schema.pointer(ARROW_SCHEMA.metadata), schema.path);
  const [validity, values = 0n] = array.pointers(ARROW_ARRAY.buffers, 'buffers', isList ? 1 : 2);
  return {
    dtype: isList ? null : extension.isBool && text === 'c' ? dtype('bool') : format.dtype,
    listLength: format.length ?? 1,
    tensor: isList ? extension.tensor : null,
    length: readDimension(array.integer(ARROW_ARRAY.length), `${array.path}.length`),
    nullCount: toCount(array.integer(ARROW_ARRAY.nullCount), `${array.path}.null_count`),
    offset: readDimension(array.integer(ARROW_ARRAY.offset), `${array.path}.offset`),
    validity: validity as bigint,
    values,
    child: isList ? decodeColumn(childOf(schema, array, place, depth), read, depth + 1) : null,
    path: array.path,
  };
}

function childOf(schema: Struct, array: Struct, { path }: Place, depth: number): Place {
  if (depth >= MAX_RANK) {
    throw mismatch(
      'ERR_RANK_MISMATCH',
      schema.path,
      `at most ${MAX_RANK} dimensions`,
      'lists within one another without end',
    );
  }
  const [ofSchema] = schema.pointers(ARROW_SCHEMA.children, 'children', 1);
  const [ofArray] = array.pointers(ARROW_ARRAY.children, 'children', 1);
  return {
    schema: ofSchema as bigint,
    array: ofArray as bigint,
    path: `${path}.children[0]`,
  };
}

/** The bytes of a struct. */
class Struct {
  readonly path: string;
  readonly #read: ReadMemory;
  readonly #bytes: DataView;

  constructor(read: ReadMemory, address: bigint, byteLength: number, path: string) {
    this.path = path;
    this.#read = read;
    this.#bytes = bytesAt(read, address, byteLength, path);
  }

  integer(offset: number): bigint {
    return this.#bytes.getBigInt64(offset, true);
  }

  pointer(offset: number): bigint {
    return this.#bytes.getBigUint64(offset, true);
  }

  /** Reads a list of exactly `count` pointers. */
  pointers(
    at: { readonly count: number; readonly list: number },
    name: string,
    count: number,
  ): bigint[] {
    const found = this.integer(at.count);
    if (found !== BigInt(count)) {
      throw mismatch(
        'ERR_TYPE',
        `${this.path}.n_${name}`,
        `${count}, as the format has`,
        String(found),
        'check what its producer wrote',
      );
    }
    const list = bytesAt(this.#read, this.pointer(at.list), count * 8, `${this.path}.${name}`);
    return Array.from({ length: count }, (_, index) => list.getBigUint64(index * 8, true));
  }
}

/** Reads a text that ends with a zero, and nothing after that. */
function readText(read: ReadMemory, address: bigint, path: string): string {
  const bytes: number[] = [];
  while (bytes.length < LONGEST_TEXT) {
    const byte = bytesAt(read, address + BigInt(bytes.length), 1, path).getUint8(0);
    if (byte === 0) return new TextDecoder().decode(Uint8Array.from(bytes));
    bytes.push(byte);
  }
  const start = show(new TextDecoder().decode(Uint8Array.from(bytes.slice(0, 16))));
  throw mismatch('ERR_TYPE', path, 'a text that ends with a zero', `${start} without end`);
}
