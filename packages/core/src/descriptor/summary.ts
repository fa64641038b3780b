import type { DType, RecordField } from '../dtype/dtype.js';
import { typeText } from '../dtype/named-dtypes.js';
import { show } from '../errors/show.js';
import type { Contiguity, Layout } from './layout.js';

/** The parts of a descriptor that a summary shows. */
interface Described extends Required<Layout> {
  readonly size: number;
  readonly ndim: number;
  readonly nbytes: number;
  readonly contiguous: Contiguity;
  readonly mask: Described | null;
}

/** The function that Node's `util.inspect` passes to a custom inspect method. */
type Inspect = (value: unknown, options: object) => string;

/** Returns one line: dtype, location and order of the elements. */
export function summary(array: Described): string {
  const { pointer, buffer, size, nbytes, readOnly, stream, mask } = array;
  const place = buffer === null ? hex(pointer) : `byte ${pointer} of a buffer`;
  return [
    `${shaped(array)} at ${place}`,
    size === 0 ? 'no elements' : `${nbytes} bytes`,
    orderOf(array),
    readOnly ? 'read-only' : '',
    stream === null ? '' : `pending on stream ${hex(stream)}`,
    mask === null ? '' : 'masked',
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * Returns several lines for Node's `util.inspect`: the summary, fields of a record, mask, base,
 * `syclobj` and owner. Returns only dtype and shape once `depth` is used up.
 */
export function inspectDescriptor(
  this: Described,
  depth: number | null,
  options: object,
  inspect: Inspect,
): string {
  if (depth !== null && depth < 0) return `[ArrayDescriptor ${shaped(this)}]`;
  const { base, mask, owner, syclobj } = this;
  const nested = { ...options, depth: depth && depth - 1 };
  return [
    `ArrayDescriptor ${summary(this)}`,
    ...fieldsOf(this.dtype, '  '),
    ...(mask === null ? [] : [`  mask ${summary(mask)}`]),
    ...(base === null ? [] : [`  element ${base.elementOffset} from base ${hex(base.pointer)}`]),
    ...(syclobj === null ? [] : [`  syclobj ${inspect(syclobj, nested)}`]),
    ...(owner === null ? [] : [`  owner ${inspect(owner, nested).replaceAll('\n', '\n  ')}`]),
  ].join('\n');
}

function orderOf({ contiguous, byteStrides, ndim }: Described): string {
  if (contiguous.c) return ndim === 0 ? '' : 'C-contiguous';
  return contiguous.f ? 'F-contiguous' : `strides of [${byteStrides.join(', ')}] bytes`;
}

function fieldsOf(dtype: DType, indent: string): string[] {
  return (dtype.fields ?? []).flatMap((field) => [
    `${indent}${nameOf(field)} ${typeOf(field)} at byte ${field.offset}`,
    ...fieldsOf(field.dtype, `${indent}  `),
  ]);
}

function nameOf({ name }: RecordField): string {
  return /^\w+$/.test(name) ? name : show(name);
}

function typeOf({ dtype, shape }: RecordField): string {
  return shape.length === 0 ? dtype.typestr : shaped({ dtype, shape });
}

/** Returns dtype and shape: `<f4 [2, 3]`. */
export function shaped({ dtype, shape }: Pick<Layout, 'dtype' | 'shape'>): string {
  return `${typeText(dtype)} [${shape.join(', ')}]`;
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}
