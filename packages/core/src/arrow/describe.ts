import { checkLayout } from '../descriptor/check-layout.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { contiguousByteStrides } from '../descriptor/strides.js';
import type { DType } from '../dtype/dtype.js';
import { parseTypestr } from '../dtype/typestr.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { assertRank, sizeOf } from '../input/shape.js';
import { permuteDims } from '../views/permute-dims.js';
import { type ArrowColumn, decodeColumn } from './decode.js';
import type { ArrowStructs, ReadStruct } from './structs.js';

/** A column, or that of its lists' elements, and which of its elements the array has. */
interface Level {
  readonly column: ArrowColumn;
  /** The first one, counted from the start of its buffers. */
  readonly first: bigint;
  /** How many, axis by axis. */
  readonly shape: readonly number[];
}

/**
 * Describes a column of Arrow's C Data Interface: elements as one axis; lists of a fixed length as
 * one axis more, or as those of a tensor. Nulls become a mask of bits, least significant first, as
 * they stand there; if the offset is not a multiple of 8, they are shifted into a new buffer. Copies
 * no elements, and calls nothing in C.
 *
 * Throws what `decodeColumn` throws, ERR_MASK if there are nulls among lists and their elements, or
 * among the elements of tensors whose axes are permuted, ERR_OUT_OF_BOUNDS if lists have fewer
 * elements than they claim, and what every reader throws for a layout.
 */
export function describeArrow(
  structs: ArrowStructs<bigint>,
  read: ReadStruct,
  owner: unknown,
): ArrayDescriptor {
  const levels = levelsOf(decodeColumn(structs, read));
  const { column, first, shape } = levels.at(-1) as Level;
  assertRank(shape.length, `array${column.path}`);
  const dtype = column.dtype as DType;
  const isEmpty = shape.includes(0);
  const skipped = isEmpty || column.values === 0n ? 0n : first * BigInt(dtype.itemsize);
  const at = `array${column.path}`;
  const array = checkLayout(
    {
      pointer: column.values + skipped,
      shape,
      byteStrides: contiguousByteStrides(shape, dtype.itemsize),
      dtype,
      readOnly: true,
      owner,
    },
    { pointer: `${at}.buffers[1]`, shape: `${at}.length`, strides: at },
  );
  const mask = isEmpty ? null : maskOf(levels, read, owner);
  const order = orderOf(levels);
  if (order.every((from, axis) => from === axis)) return replace(array, { mask });
  if (mask !== null && sizeOf(mask.shape) !== shape[0]) throw mixed(column);
  return replace(permuteDims(array, order), { mask });
}

/** The column itself, then the columns of its lists' elements. */
function levelsOf(column: ArrowColumn): Level[] {
  const levels: Level[] = [];
  let level: Level | null = { column, first: BigInt(column.offset), shape: [column.length] };
  while (level !== null) {
    levels.push(level);
    level = level.column.child === null ? null : elementsOf(level, level.column.child);
  }
  return levels;
}

function elementsOf({ column: lists, first, shape }: Level, child: ArrowColumn): Level {
  const { listLength, offset, length } = lists;
  const claimed = (BigInt(offset) + BigInt(length)) * BigInt(listLength);
  if (claimed > BigInt(child.length)) {
    throw mismatch(
      'ERR_OUT_OF_BOUNDS',
      `array${child.path}.length`,
      `${claimed} elements, ${listLength} for each list`,
      child.length,
      'check what its producer wrote',
    );
  }
  return {
    column: child,
    first: first * BigInt(listLength) + BigInt(child.offset),
    shape: [...shape, ...axesOf(lists)],
  };
}

/** The axes of each list. */
function axesOf({ tensor, listLength, path }: ArrowColumn): readonly number[] {
  if (tensor === null) return [listLength];
  if (sizeOf(tensor.shape) === listLength) return tensor.shape;
  throw mismatch(
    'ERR_TYPE',
    `schema${path}.metadata`,
    `a tensor of ${listLength} elements, as its lists have`,
    `shape ${showList(tensor.shape)}`,
    'check what its producer wrote',
  );
}

/** The order in which the axes are seen: tensors may permute theirs. */
function orderOf(levels: readonly Level[]): number[] {
  const order = [0];
  for (const { column, shape } of levels) {
    if (column.child === null) break;
    const axes = column.tensor?.permutation ?? [0];
    order.push(...axes.map((axis) => shape.length + axis));
  }
  return order;
}

const BITS = parseTypestr('|t1', 'mask', { isMask: true });

/** The nulls as a mask of the axes in memory. */
function maskOf(
  levels: readonly Level[],
  read: ReadStruct,
  owner: unknown,
): ArrayDescriptor | null {
  const mayHave = levels.filter(({ column }) => column.validity !== 0n && column.nullCount !== 0);
  const have = mayHave.length > 1 ? mayHave.filter((level) => hasNulls(level, read)) : mayHave;
  const [level, another] = have;
  if (level === undefined) return null;
  if (another !== undefined) throw mixed(another.column);
  const { column, first } = level;
  const ndim = levels.at(-1)?.shape.length ?? 0;
  const shape = [...level.shape, ...Array(ndim - level.shape.length).fill(1)];
  const layout = { shape, byteStrides: null, dtype: BITS, readOnly: true, owner };
  const at = `array${column.path}`;
  const paths = { pointer: `${at}.buffers[0]`, shape: `${at}.length`, strides: at };
  if (first % 8n === 0n)
    return checkLayout({ ...layout, pointer: column.validity + first / 8n }, paths);
  const { buffer, byteLength } = bitsOf(level, read);
  return checkLayout({ ...layout, pointer: 0n, buffer, bounds: [0, byteLength] }, paths);
}

/** The error for nulls that no one mask says. */
function mixed({ path }: ArrowColumn): ArrayInterfaceError {
  return mismatch(
    'ERR_MASK',
    `array${path}.null_count`,
    'nulls among lists or among their elements, and those of permuted tensors among tensors alone',
    'others',
    'fill some of the nulls first',
  );
}

function hasNulls(level: Level, read: ReadStruct): boolean {
  if (level.column.nullCount > 0) return true;
  const bits = bitsOf(level, read);
  const rest = sizeOf(level.shape) % 8;
  return bits.some((byte, i) => {
    const all = i === bits.length - 1 && rest > 0 ? (1 << rest) - 1 : 0xff;
    return (byte & all) !== all;
  });
}

/** Copies the bits that a level has, so that the first one begins a byte. */
function bitsOf({ column, first, shape }: Level, read: ReadStruct): Uint8Array<ArrayBuffer> {
  const [count, skipped] = [sizeOf(shape), Number(first % 8n)];
  const byteLength = Math.ceil((skipped + count) / 8);
  const path = `array${column.path}.buffers[0]`;
  const from = read(column.validity + first / 8n, byteLength, path);
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (let i = 0; i < bytes.length; i++) {
    const next = i + 1 < from.byteLength ? from.getUint8(i + 1) : 0;
    bytes[i] = (from.getUint8(i) | (next << 8)) >>> skipped;
  }
  return bytes;
}
