import { checkLayout } from '../descriptor/check-layout.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { contiguousByteStrides } from '../descriptor/strides.js';
import type { DType } from '../dtype/dtype.js';
import { parseTypestr } from '../dtype/typestr.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { bytesAt, type ReadMemory } from '../input/foreign-memory.js';
import { assertRank, sizeOf } from '../input/shape.js';
import { permuteDims } from '../views/permute-dims.js';
import { type ArrowColumn, decodeColumn } from './decode.js';
import type { ArrowStructs } from './structs.js';

/** A column, or that of its lists' elements, and which of its elements the array has. */
interface Level {
  readonly column: ArrowColumn;
  /** The first one, counted from the start of its buffers. */
  readonly first: bigint;
  /** How many, axis by axis. */
  readonly shape: readonly number[];
}

/** How a column is read. */
export interface DescribeArrowOptions {
  /** Reads memory of this process. */
  readonly read: ReadMemory;
  /** What must stay alive while the memory is used. */
  readonly owner: unknown;
}

/**
 * Describes a column of Arrow's C Data Interface: elements as one axis; lists of a fixed length as
 * one axis more, or as those of a tensor. Nulls become a mask of bits, least significant first, as
 * they stand there; if the offset is not a multiple of 8, they are shifted into a new buffer. Copies
 * no elements, and calls nothing in C. Throws what `decodeColumn` throws, ERR_MASK if both lists and
 * their elements have nulls, ERR_OUT_OF_BOUNDS if lists have fewer elements than they claim, and
 * what every reader throws for a layout.
 */
export function describeArrow(
  structs: ArrowStructs<bigint>,
  { read, owner }: DescribeArrowOptions,
): ArrayDescriptor {
  const levels = levelsOf(decodeColumn({ ...structs, path: '' }, read));
  const { column, first, shape } = levels.at(-1) as Level;
  assertRank(shape.length, column.path);
  const dtype = column.dtype as DType;
  const isEmpty = shape.includes(0);
  const skipped = isEmpty || column.values === 0n ? 0n : first * BigInt(dtype.itemsize);
  const array = checkLayout(
    {
      pointer: column.values + skipped,
      shape,
      byteStrides: contiguousByteStrides(shape, dtype.itemsize),
      dtype,
      readOnly: true,
      mask: isEmpty ? null : maskOf(levels, owner, read),
      owner,
    },
    { pointer: `${column.path}.buffers[1]`, shape: `${column.path}.length`, strides: column.path },
  );
  const order = orderOf(levels);
  return order.every((from, axis) => from === axis) ? array : permuteDims(array, order);
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
      `${child.path}.length`,
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
    path.replace('array', 'schema'),
    `a tensor of ${listLength} elements, as its lists have`,
    `shape ${showList(tensor.shape)}`,
    'check what its producer wrote',
  );
}

/** The order in which a tensor's axes are seen. */
function orderOf(levels: readonly Level[]): number[] {
  const order = [0];
  for (const { column, shape } of levels) {
    if (column.child === null) break;
    const axes = column.tensor?.permutation ?? [0];
    order.push(...axes.map((axis) => shape.length + axis));
  }
  return order;
}

function maskOf(
  levels: readonly Level[],
  owner: unknown,
  read: ReadMemory,
): ArrayDescriptor | null {
  const [one, another] = levels.filter(
    ({ column }) => column.validity !== 0n && column.nullCount !== 0,
  );
  if (one === undefined) return null;
  const { column, first } = one;
  if (another !== undefined) {
    throw mismatch(
      'ERR_MASK',
      `${another.column.path}.null_count`,
      'nulls among lists or among their elements',
      'a validity bitmap of both',
      'fill the nulls of one of them first',
    );
  }
  const ndim = levels.at(-1)?.shape.length ?? 0;
  const shape = [...one.shape, ...Array(ndim - one.shape.length).fill(1)];
  const layout = { shape, byteStrides: null, dtype: BITS, readOnly: true, owner };
  const paths = { pointer: `${column.path}.buffers[0]`, shape: column.path, strides: column.path };
  const [start, skipped] = [column.validity + first / 8n, Number(first % 8n)];
  if (skipped === 0) return checkLayout({ ...layout, pointer: start }, paths);
  const count = sizeOf(shape);
  const bits = bytesAt(read, start, Math.ceil((skipped + count) / 8), paths.pointer);
  const buffer = withoutFirst(bits, skipped, count);
  return checkLayout({ ...layout, pointer: 0n, buffer, bounds: [0, buffer.byteLength] }, paths);
}

const BITS = parseTypestr('|t1', 'mask', { isMask: true });

/** Copies `count` bits after the first ones, of which there are 1 to 7. */
function withoutFirst(from: DataView, skipped: number, count: number): ArrayBuffer {
  const bytes = new Uint8Array(Math.ceil(count / 8));
  for (let i = 0; i < bytes.length; i++) {
    const next = i + 1 < from.byteLength ? from.getUint8(i + 1) : 0;
    bytes[i] = (from.getUint8(i) >> skipped) | (next << (8 - skipped));
  }
  return bytes.buffer;
}
