import { checkLayout, pointerFrom, readStrides } from '../descriptor/check-layout.js';
import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';
import type { NamedDType } from '../dtype/named-dtypes.js';
import { readDType } from '../dtype/read-dtype.js';
import { parseTypestr } from '../dtype/typestr.js';
import { mismatch } from '../errors/mismatch.js';
import { withSubject } from '../errors/with-subject.js';
import { checkOptions, readOption } from '../input/argument.js';
import { type DLPackFields, readFields } from './fields.js';
import { NAMED_DTYPES } from './named-codes.js';

/** The typestrs of each DLPack code, by bits. */
const TYPESTRS: Readonly<Record<number, Readonly<Record<number, string>>>> = {
  0: { 8: '<i1', 16: '<i2', 32: '<i4', 64: '<i8' },
  1: { 8: '<u1', 16: '<u2', 32: '<u4', 64: '<u8' },
  2: { 16: '<f2', 32: '<f4', 64: '<f8' },
  5: { 64: '<c8', 128: '<c16' },
  6: { 8: '<b1' },
};

/**
 * Reads the fields of a DLPack 1.x tensor. Copies nothing and does not block.
 *
 * Strides count elements, `byteOffset` counts bytes. Types without a typestr become opaque bytes
 * with a `name` (`bfloat16`). Keeps only `owner`. Checks the device but does not store it. The
 * caller is responsible for the deleter and for the order of work. Implements
 * `DLManagedTensorVersioned` of dlpack.h 1.0 to 1.3; later minor numbers are accepted, too. Throws
 * what every reader throws, and ERR_POINTER_UNKNOWN for data without an address.
 *
 * @example
 * ```ts
 * import { decodeDLPack, fromDLPack, type ReadMemory } from '@array-interface/core/dlpack';
 *
 * declare const read: ReadMemory; // such as `koffi.view`
 * declare const address: bigint; // of a DLManagedTensorVersioned
 * const tensor = decodeDLPack(address, { read });
 * const array = fromDLPack(tensor, { owner: tensor });
 * ```
 */
export function fromDLPack(
  fields: unknown,
  options: { readonly owner?: unknown } = {},
): ArrayDescriptor {
  checkOptions(options, ['owner']);
  const owner = readOption(options, 'owner') ?? null;
  return withSubject(fields, () => {
    const read = readFields(fields);
    return describeFields(read, read.shape, owner);
  });
}

/** Returns the descriptor of fields of version 1 that were checked individually. */
export function describeFields(
  fields: DLPackFields,
  shape: readonly number[],
  owner: unknown,
  dtype: DType = elementOf(fields),
): ArrayDescriptor {
  const { data, byteOffset, elementStrides, readOnly } = fields;
  return checkLayout(
    {
      pointer: data === 0n && !shape.includes(0) ? 0n : pointerFrom(data, byteOffset, shape),
      shape,
      byteStrides: readStrides(elementStrides, shape.length, dtype.itemsize, 'elementStrides'),
      dtype,
      readOnly,
      owner,
    },
    { pointer: 'data', shape: 'shape', strides: 'elementStrides' },
  );
}

function elementOf({ dtype: { code, bits, lanes }, subBytePadded }: DLPackFields): DType {
  const typestr = lanes === 1 ? TYPESTRS[code]?.[bits] : undefined;
  if (typestr !== undefined) return parseTypestr(typestr, 'dtype');
  const name = (Object.keys(NAMED_DTYPES) as NamedDType[]).find(
    (one) => String(NAMED_DTYPES[one]) === String([code, bits, lanes]),
  );
  // padded, each lane has bytes of its own
  const isWhole = subBytePadded && bits < 8 ? lanes === 1 : (bits * lanes) % 8 === 0;
  if (name !== undefined && isWhole) return readDType(name, 'dtype');
  throw mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    'dtype',
    'a DLPack dtype of whole bytes',
    `code ${code} with ${bits} bits in ${lanes} lanes`,
    "cast it on the producer's side",
  );
}
