import type { BackendArray, OwnedArray } from '../backend/interface/array.js';
import type { EmptyOptions } from '../backend/interface/options.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import type { DType } from '../dtype/dtype.js';
import { scalarArray } from '../numbers/plain-array.js';
import { newBuffer } from '../plan/copy-buffers.js';
import { inOrder, type Maker, Work } from './work.js';

/** One element that is 0, false, an empty text or a record of these: bytes that are all 0. */
export function zero(type: DType): ArrayDescriptor {
  return relativeLayout([], type, null, newBuffer(Math.max(1, type.itemsize)));
}

/** One element with a value. Throws ERR_TYPE, ERR_OVERFLOW or ERR_DTYPE_UNSUPPORTED. */
export function one(type: DType, value: number | bigint | boolean): ArrayDescriptor {
  return scalarArray(value, type);
}

/** Returns a new array whose elements are all that of `element`, which has no axes. */
export function filled<A extends BackendArray>(
  maker: Maker<A>,
  shape: readonly number[],
  type: DType,
  element: ArrayDescriptor,
  options: EmptyOptions,
  near: ArrayDescriptor | null = null,
): Promise<OwnedArray<A>> {
  return inOrder(maker, {}, (work) => {
    const made = work.make(shape, type, options, near);
    work.copy(made.descriptor, element, 'same_kind');
    return made;
  });
}

/** Returns an uninitialised array of the shape of another, placed near it. */
export function madeLike<A extends BackendArray>(
  maker: Maker<A>,
  like: ArrayDescriptor,
  type: DType,
  options: EmptyOptions,
): OwnedArray<A> {
  return new Work(maker, {}).make(like.shape, type, options, like);
}

/** Returns an identity matrix, or ones on another diagonal. */
export function eye<A extends BackendArray>(
  maker: Maker<A>,
  shape: readonly [rows: number, columns: number],
  k: number,
  type: DType,
  options: EmptyOptions,
): Promise<OwnedArray<A>> {
  return inOrder(maker, {}, (work) => {
    const value = one(type, 1);
    const made = work.make(shape, type, options);
    work.copy(made.descriptor, zero(type));
    const ones = diagonal(made.descriptor, k);
    if (ones !== null) work.copy(ones, value, 'same_kind');
    return made;
  });
}

/** The elements `[i, i + k]` of a matrix. Null if there are none. */
function diagonal(matrix: ArrayDescriptor, k: number): ArrayDescriptor | null {
  const [rows = 0, columns = 0] = matrix.shape;
  const [down = 0, right = 0] = matrix.byteStrides;
  const row = Math.max(0, -k);
  const column = Math.max(0, k);
  const length = Math.min(rows - row, columns - column);
  if (length <= 0) return null;
  const pointer = matrix.pointer + BigInt(row * down + column * right);
  return replace(matrix, { pointer, shape: [length], byteStrides: [down + right] as never });
}
