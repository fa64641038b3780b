import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { MAX_RANK } from '../input/shape.js';
import type { ReadStruct } from './structs.js';

/** The axes of each element of a column of tensors. */
export interface Tensor {
  readonly shape: readonly number[];
  /** Axis `i` of what users see is axis `permutation[i]` of `shape`. */
  readonly permutation: readonly number[];
}

/** What an extension type says of a column. Others than these are read as what stores them. */
export interface Extension {
  /** Bytes that are false if 0: `arrow.bool8`. */
  readonly isBool: boolean;
  /** The axes of `arrow.fixed_shape_tensor`. */
  readonly tensor: Tensor | null;
}

const NAME = 'ARROW:extension:name';
const METADATA = 'ARROW:extension:metadata';
const NONE: Extension = { isBool: false, tensor: null };

/** More than any schema has; a length beyond it is no length. */
const LONGEST = 2 ** 20;

/** Reads the extension type in a schema's metadata. Throws ERR_TYPE, and what `read` throws. */
export function readExtension(read: ReadStruct, address: bigint, path: string): Extension {
  if (address === 0n) return NONE;
  const pairs = readPairs(read, address, `${path}.metadata`);
  switch (pairs.get(NAME)) {
    case 'arrow.bool8':
      return { ...NONE, isBool: true };
    case 'arrow.fixed_shape_tensor':
      return { ...NONE, tensor: parseTensor(pairs.get(METADATA) ?? '', `${path}.metadata`) };
    default:
      return NONE;
  }
}

/** Reads the number of pairs, then the length and the bytes of each key and each value. */
function readPairs(read: ReadStruct, address: bigint, path: string): Map<string, string> {
  let at = address;
  const next = (byteLength: number): DataView => {
    const bytes = read(at, byteLength, path);
    at += BigInt(byteLength);
    return bytes;
  };
  const length = (): number => {
    const found = next(4).getInt32(0, true);
    if (found >= 0 && found <= LONGEST) return found;
    throw mismatch(
      'ERR_TYPE',
      path,
      `a length of 0 to ${LONGEST}`,
      found,
      'check what its producer wrote',
    );
  };
  const text = (): string => {
    const byteLength = length();
    return byteLength === 0 ? '' : new TextDecoder().decode(next(byteLength));
  };
  const pairs = new Map<string, string>();
  for (let left = length(); left > 0; left--) pairs.set(text(), text());
  return pairs;
}

function parseTensor(text: string, path: string): Tensor {
  const { shape, permutation = [] } = parseJson(text) as Record<keyof Tensor, readonly number[]>;
  const isShape = Array.isArray(shape) && shape.length < MAX_RANK && shape.every(isLength);
  const order = permutation ?? [];
  if (isShape && isOrder(order, shape.length)) {
    return { shape, permutation: order.length === 0 ? shape.map((_, axis) => axis) : order };
  }
  throw mismatch(
    'ERR_TYPE',
    path,
    'a shape, and a permutation of its axes or none, as JSON',
    show(text),
    'check what its producer wrote',
  );
}

/** Null becomes an object without keys, too. */
function parseJson(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isLength(length: unknown): boolean {
  return Number.isSafeInteger(length) && (length as number) >= 0;
}

/** An empty list keeps the axes as they are. */
function isOrder(order: unknown, rank: number): boolean {
  if (!Array.isArray(order)) return false;
  const sorted = [...order].sort((a, b) => a - b);
  return order.length === 0 || (order.length === rank && sorted.every((one, axis) => one === axis));
}
