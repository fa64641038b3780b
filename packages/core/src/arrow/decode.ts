import type { DType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { readDimension, toCount } from '../input/integer.js';
import { MAX_RANK } from '../input/shape.js';
import { readExtension, type Tensor } from './extension.js';
import { parseFormat, unsupported } from './format.js';
import { ARROW_ARRAY, ARROW_SCHEMA, type ArrowStructs, type ReadStruct } from './structs.js';

/** A column of fixed-size elements, or of fixed-size lists of them, as its structs describe it. */
export interface ArrowColumn {
  /** The elements' dtype. Null for lists. */
  readonly dtype: DType | null;
  /** How many elements of the child each list has. 1 for elements. */
  readonly listLength: number;
  /** The axes of each list, if it is a tensor. */
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
  /** Where it was found, below `schema` and `array`, for error messages. */
  readonly path: string;
}

const LONGEST_TEXT = 4096;

/**
 * Reads the structs of a column, and of those that its lists are parts of. Copies none of the
 * elements, and calls nothing in C. Throws ERR_DISPOSED for structs that were released or moved,
 * ERR_DTYPE_UNSUPPORTED, ERR_TYPE, ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW, ERR_RANK_MISMATCH, and what
 * `read` throws.
 */
export function decodeColumn(
  at: ArrowStructs<bigint>,
  read: ReadStruct,
  path = '',
  depth = 1,
): ArrowColumn {
  const schema = new Struct(read, at.schema, ARROW_SCHEMA, `schema${path}`);
  const array = new Struct(read, at.array, ARROW_ARRAY, `array${path}`);
  const formatPath = `${schema.path}.format`;
  const text = readText(read, schema.pointer(ARROW_SCHEMA.format), formatPath);
  if (schema.pointer(ARROW_SCHEMA.dictionary) !== 0n) {
    throw unsupported(`${schema.path}.dictionary`, 'a dictionary', 'decode the column first');
  }
  const format = parseFormat(text, formatPath);
  const isList = format.dtype === undefined;
  const extension = readExtension(read, schema.pointer(ARROW_SCHEMA.metadata), schema.path);
  const [validity, values = 0n] = array.pointers(ARROW_ARRAY.buffers, 'buffers', isList ? 1 : 2);
  return {
    dtype: isList ? null : extension.isBool && text === 'c' ? dtype('bool') : format.dtype,
    listLength: format.listLength ?? 1,
    tensor: isList ? extension.tensor : null,
    length: readDimension(array.integer(ARROW_ARRAY.length), `${array.path}.length`),
    nullCount: toCount(array.integer(ARROW_ARRAY.nullCount), `${array.path}.null_count`),
    offset: readDimension(array.integer(ARROW_ARRAY.offset), `${array.path}.offset`),
    validity: validity as bigint,
    values,
    child: isList ? decodeChild(schema, array, read, path, depth) : null,
    path,
  };
}

function decodeChild(
  schema: Struct,
  array: Struct,
  read: ReadStruct,
  path: string,
  depth: number,
): ArrowColumn {
  if (depth >= MAX_RANK) {
    throw mismatch(
      'ERR_RANK_MISMATCH',
      schema.path,
      `at most ${MAX_RANK} dimensions`,
      'more lists within one another',
      'flatten some of them first',
    );
  }
  const [ofSchema] = schema.pointers(ARROW_SCHEMA.children, 'children', 1);
  const [ofArray] = array.pointers(ARROW_ARRAY.children, 'children', 1);
  const structs = { schema: ofSchema as bigint, array: ofArray as bigint };
  return decodeColumn(structs, read, `${path}.children[0]`, depth + 1);
}

/** The bytes of a struct. */
class Struct {
  readonly path: string;
  readonly #read: ReadStruct;
  readonly #bytes: DataView;

  /** Throws ERR_DISPOSED for one that was released, or moved elsewhere. */
  constructor(
    read: ReadStruct,
    address: bigint,
    { byteLength, release }: { readonly byteLength: number; readonly release: number },
    path: string,
  ) {
    this.path = path;
    this.#read = read;
    this.#bytes = read(address, byteLength, path);
    if (this.pointer(release) !== 0n) return;
    throw mismatch(
      'ERR_DISPOSED',
      `${path}.release`,
      'a struct that nobody has released or taken over',
      '0',
      'export the column again',
    );
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
    const list = this.#read(this.pointer(at.list), count * 8, `${this.path}.${name}`);
    return Array.from({ length: count }, (_, index) => list.getBigUint64(index * 8, true));
  }
}

/** Reads a text that ends with a zero, and nothing after that. */
function readText(read: ReadStruct, address: bigint, path: string): string {
  const bytes: number[] = [];
  const text = () => new TextDecoder().decode(Uint8Array.from(bytes));
  while (bytes.length < LONGEST_TEXT) {
    const byte = read(address + BigInt(bytes.length), 1, path).getUint8(0);
    if (byte === 0) return text();
    bytes.push(byte);
  }
  const got = `${show(text().slice(0, 16))} without end`;
  throw mismatch(
    'ERR_TYPE',
    path,
    'a text that ends with a zero',
    got,
    'check what its producer wrote',
  );
}
