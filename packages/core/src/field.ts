import { badArgument } from './argument.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { expandDims } from './expand-dims.js';
import { makeView } from './make-view.js';
import { show } from './show.js';
import { contiguousByteStrides } from './strides.js';
import { viewMask } from './view-mask.js';

/**
 * A view of one field of a record, found by name or title; further names go into nested records.
 * The axes of a sub-array come last. NumPy's `array[name]`; its array interface, `descr`. Does not
 * copy. Throws ERR_ARGUMENT with the path of the name, ERR_RANK_MISMATCH, ERR_MASK.
 */
export function field(array: ArrayDescriptor, ...names: readonly string[]): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  if (names.length === 0) throw badArgument('names', 'the name of a field', undefined);
  return names.reduce((view, name, index) => fieldOf(view, name, `names[${index}]`), array);
}

function fieldOf(array: ArrayDescriptor, name: string, path: string): ArrayDescriptor {
  const fields = array.dtype.fields ?? [];
  const found = fields.find((one) => one.name === name) ?? fields.find((one) => one.title === name);
  if (found === undefined) {
    const all = fields.map((one) => show(one.name)).join(', ');
    throw badArgument(path, `a field of ${array.dtype.typestr} (it has ${all || 'none'})`, name);
  }
  const { dtype, shape, offset } = found;
  return makeView(
    array,
    {
      shape: [...array.shape, ...shape],
      byteStrides: [...array.byteStrides, ...contiguousByteStrides(shape, dtype.itemsize)],
      shift: offset,
      dtype,
    },
    shape.length === 0 ? array.mask : viewMask(array, (mask) => repeatable(mask, shape.length)),
  );
}

/** The mask with an axis of length 1 for each of a sub-array: one element of it counts for all. */
function repeatable(mask: ArrayDescriptor, count: number): ArrayDescriptor {
  return expandDims(
    mask,
    Array.from({ length: count }, (_, axis) => -1 - axis),
  );
}
