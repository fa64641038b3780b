import { checkLayout } from '../descriptor/check-layout.js';
import { type DescribedArray, describeArray } from '../descriptor/described-array.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { boundsOf } from '../descriptor/make-descriptor.js';
import { contiguousByteStrides } from '../descriptor/strides.js';
import type { DType, RecordField } from '../dtype/dtype.js';
import { show } from '../errors/show.js';
import { badArgument } from '../input/argument.js';
import { makeView, viewMask } from './make-view.js';
import { expandDims } from './reshape.js';

/** Number of fields that an error names. */
const NAMED = 5;

/**
 * Returns a view of one field of a record, found by name or title. Copies nothing.
 *
 * Further names descend into nested records. The axes of a sub-array come last; strides remain in
 * bytes. Corresponds to NumPy's `array[name]`, and to `descr` of its array interface. Throws
 * ERR_TYPE, ERR_ARGUMENT with the path of the name, ERR_RANK_MISMATCH, ERR_MASK, ERR_DISPOSED,
 * ERR_OVERFLOW (a field without bytes that no descriptor can represent).
 *
 * @example
 * ```ts
 * import { field, makeDescriptor } from '@array-interface/core';
 *
 * const buffer = new ArrayBuffer(24);
 * const dtype = [['x', 'f4'], ['y', 'f4']] as const;
 * const points = makeDescriptor({ pointer: 0, shape: [3], dtype, buffer });
 * console.log(field(points, 'x').byteStrides); // [ 8 ]
 * ```
 */
export function field(array: DescribedArray, ...names: readonly string[]): ArrayDescriptor {
  const from = describeArray(array, 'array');
  if (names.length === 0) throw badArgument('names', 'the name of a field', undefined);
  let { dtype } = from;
  let shift = 0;
  const shape: number[] = [];
  const byteStrides: number[] = [];
  for (const [index, name] of names.entries()) {
    const inner = find(dtype, name, `names[${index}]`);
    dtype = inner.dtype;
    shift += inner.offset;
    shape.push(...inner.shape);
    byteStrides.push(...contiguousByteStrides(inner.shape, dtype.itemsize));
  }
  const view = makeView(
    from,
    {
      shape: [...from.shape, ...shape],
      byteStrides: [...from.byteStrides, ...byteStrides],
      shift,
      dtype,
    },
    shape.length === 0 ? from.mask : viewMask(from, (mask) => repeatable(mask, shape.length)),
  );
  if (dtype.itemsize > 0) return view;
  // Elements without bytes may be too many to count, or lie past the last address.
  const bounds = view.buffer && boundsOf(view.buffer);
  return checkLayout({ ...view, bounds }, { pointer: 'names', shape: 'names', strides: 'names' });
}

function find({ fields, typestr }: DType, name: string, path: string): RecordField {
  const all = fields ?? [];
  const found = all.find((one) => one.name === name) ?? all.find((one) => one.title === name);
  if (found !== undefined) return found;
  throw badArgument(path, `a field of ${typestr} (it has ${namesOf(all)})`, name);
}

/** Returns the first names, and how many more there are. */
function namesOf(fields: readonly RecordField[]): string {
  const names = fields.slice(0, NAMED).map(({ name }) => show(name));
  if (fields.length <= NAMED) return names.join(', ') || 'none';
  return `${names.join(', ')} and ${fields.length - NAMED} more`;
}

/**
 * Adds an axis of length 1 for each axis of a sub-array, so that one element of the mask applies to
 * all.
 */
function repeatable(mask: ArrayDescriptor, count: number): ArrayDescriptor {
  return expandDims(
    mask,
    Array.from({ length: count }, (_, axis) => -1 - axis),
  );
}
