import { describeOwn } from '../backend/access/describe-source.js';
import type { ArrayView, BackendArray, OwnedArray } from '../backend/interface/array.js';
import type { ConcatOptions, StackOptions } from '../backend/interface/function-options.js';
import { insteadOfOwnArray } from '../backend/interface/instead-of-own-array.js';
import type { EmptyOptions } from '../backend/interface/options.js';
import { type ArrayDescriptor, isArrayDescriptor, replace } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { sameShape } from '../input/shape.js';
import type { Casting } from '../numbers/casting.js';
import { resultType } from '../numbers/result-type.js';
import { checkCasts } from '../plan/check-copy.js';
import { reshape } from '../views/reshape.js';
import { describeAll, type Operand, readAxis } from './operand.js';
import { part } from './reorder.js';
import { inOrder, type Maker } from './work.js';

/** Joins arrays along an axis that they have. */
export async function concat<A extends BackendArray>(
  maker: Maker<A>,
  list: readonly Operand[],
  { axis: along = 0, dtype: like, casting, ...options }: ConcatOptions & EmptyOptions,
): Promise<OwnedArray<A>> {
  const named = like === undefined ? undefined : dtype(like);
  const arrays = describeAll(maker, list, named, casting);
  const type = commonType(arrays, named, casting);
  if (along === null) return flat(maker, arrays, type, options);
  const [first] = arrays as [ArrayDescriptor];
  const axis = readAxis(along, first.ndim);
  let length = 0;
  for (const [index, { shape }] of arrays.entries()) {
    assertJoins(first.shape, shape, axis, `arrays[${index}]`);
    length += shape[axis] as number;
  }
  return inOrder(maker, {}, (work) => {
    const made = work.make(first.shape.with(axis, length), type, options, first);
    let start = 0;
    for (const array of arrays) {
      const count = array.shape[axis] as number;
      work.copy(part(made.descriptor, axis, start, count), array);
      start += count;
    }
    return made;
  });
}

/** Joins the elements of arrays in C order. */
function flat<A extends BackendArray>(
  maker: Maker<A>,
  arrays: readonly ArrayDescriptor[],
  type: DType,
  options: EmptyOptions,
): Promise<OwnedArray<A>> {
  const length = arrays.reduce((sum, { size }) => sum + size, 0);
  return inOrder(maker, {}, (work) => {
    const made = work.make([length], type, options, arrays[0]);
    let start = 0;
    for (const array of arrays) {
      const to = part(made.descriptor, 0, start, array.size);
      work.copy(reshape(to, array.shape), array);
      start += array.size;
    }
    return made;
  });
}

/** Joins arrays of one shape along a new axis. */
export async function stack<A extends BackendArray>(
  maker: Maker<A>,
  list: readonly Operand[],
  { axis: along = 0, dtype: like, casting, ...options }: StackOptions & EmptyOptions,
): Promise<OwnedArray<A>> {
  const named = like === undefined ? undefined : dtype(like);
  const arrays = describeAll(maker, list, named, casting);
  const type = commonType(arrays, named, casting);
  const [{ shape, ndim }] = arrays as [ArrayDescriptor];
  const axis = readAxis(along, ndim + 1);
  for (const [index, array] of arrays.entries()) {
    if (sameShape(array.shape, shape)) continue;
    const path = `arrays[${index}]`;
    throw mismatch(
      'ERR_SHAPE_MISMATCH',
      path,
      `the first's shape, ${showList(shape)}`,
      showList(array.shape),
    );
  }
  return inOrder(maker, {}, (work) => {
    const made = work.make(shape.toSpliced(axis, 0, arrays.length), type, options, arrays[0]);
    for (const [index, array] of arrays.entries()) {
      work.copy(element(made.descriptor, axis, index), array);
    }
    return made;
  });
}

/** Memory has no room for many more views at once. */
const MOST_VIEWS = 2 ** 24;

/** Returns views of each place along an axis. */
export function unstack<B extends BackendArray>(
  array: B,
  along: number,
  backend: string,
): ArrayView<B>[] {
  const descriptor = describeOwn(array);
  if (descriptor === null || isArrayDescriptor(array)) {
    const { got, cure } = insteadOfOwnArray(array, backend);
    throw mismatch('ERR_ARGUMENT', 'array', 'an array of a backend', got, cure);
  }
  const axis = readAxis(along, descriptor.ndim);
  const length = descriptor.shape[axis] as number;
  if (length > MOST_VIEWS) {
    const expected = `an axis of at most ${MOST_VIEWS} places`;
    throw mismatch('ERR_OUT_OF_MEMORY', 'array', expected, length, 'slice it first');
  }
  const before = new Array<null>(axis).fill(null);
  return Array.from({ length }, (_, index) => array.slice([...before, index]) as ArrayView<B>);
}

/** The dtype of arrays that are joined: the named one, or the one that holds all values. */
function commonType(
  arrays: readonly ArrayDescriptor[],
  named: DType | undefined,
  casting: Casting = 'same_kind',
): DType {
  const type = named ?? resultType(...arrays.map((array) => array.dtype));
  for (const [index, array] of arrays.entries()) {
    checkCasts(type, array.dtype, casting, `arrays[${index}]`);
  }
  return type;
}

function assertJoins(
  first: readonly number[],
  shape: readonly number[],
  axis: number,
  path: string,
): void {
  if (shape.length === first.length && sameShape(shape.with(axis, 0), first.with(axis, 0))) return;
  const expected = `the first's shape, ${showList(first)}, but along axis ${axis}`;
  throw mismatch('ERR_SHAPE_MISMATCH', path, expected, showList(shape));
}

/** The elements at an index of an axis, without that axis. */
function element(array: ArrayDescriptor, axis: number, index: number): ArrayDescriptor {
  const { shape, byteStrides } = part(array, axis, index, 1);
  const pointer = array.pointer + BigInt(index * (array.byteStrides[axis] as number));
  return replace(array, {
    pointer,
    shape: shape.toSpliced(axis, 1),
    byteStrides: byteStrides.toSpliced(axis, 1) as never,
  });
}
