import type { ArrayDescriptor } from '../../descriptor/descriptor.js';
import type { DLPackDevice } from '../../dlpack/device.js';
import { DLPACK_VERSION, type DLPackFields } from '../../dlpack/fields.js';
import { describeFields, fromDLPack } from '../../dlpack/from-dlpack.js';
import { toDLPack } from '../../dlpack/to-dlpack.js';
import type { DType } from '../../dtype/dtype.js';
import { readDType } from '../../dtype/read-dtype.js';
import { isArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import { show } from '../../errors/show.js';
import { withFallback } from '../../errors/with-fallback.js';
import { withSubject } from '../../errors/with-subject.js';
import { asked } from '../../input/dict.js';
import { readShape } from '../../input/shape.js';
import { assertAddress, assertBare, assertNoBits } from '../../protocols/assert-writable.js';
import { wholeStrides } from '../../protocols/sycl.js';

/** The name of the method that returns a capsule: `Symbol.for('array-interface.array')`. */
export const arrayCapsule: unique symbol = Symbol.for('array-interface.array') as never;

declare const capsule: unique symbol;

/**
 * An array in transit to a native addon. It can be used once. A native object that JavaScript can
 * only pass on; `@array-interface/abi` describes the format.
 */
export interface ArrayCapsule {
  /** Never present. Keeps other objects from being mistaken for capsules. */
  readonly [capsule]: 'ArrayCapsule';
}

/** An object that produces capsules: an array of any backend, or an object of an addon. */
export interface ArrayProducer {
  /**
   * Returns a new capsule of the array, which can be used once. Copies nothing and does not block.
   *
   * @example
   * ```ts
   * import type { ArrayCapsule } from '@array-interface/core';
   * import { arrayCapsule } from '@array-interface/core/backend';
   * import { host } from '@array-interface/host';
   *
   * declare function process(capsule: ArrayCapsule): void; // of your addon
   * using array = host.empty([3], 'float32');
   * process(array[arrayCapsule]()); // the addon imports the array
   * ```
   */
  [arrayCapsule](): ArrayCapsule;
}

/**
 * An array as an addon writes it into a capsule: the last arguments of its function, because it
 * takes several times as long to read an object property by property. `flags` are DLPack's.
 * `typestr` is that of an element without a DLPack code. The lengths of the axes end the list, with
 * the strides in elements behind them.
 */
export type CapsuleFields = readonly [
  flags: number,
  data: bigint,
  deviceType: number,
  deviceId: number,
  code: number,
  bits: number,
  lanes: number,
  typestr: string | null,
  rank: number,
  ...axes: number[],
];

/** What an addon found in a capsule. */
export interface CapsuleContents {
  /** DLPack's fields of the array. */
  readonly fields: DLPackFields;
  /** Typestr of an element without a DLPack code. Null: `fields.dtype` describes the element. */
  readonly typestr: string | null;
  /**
   * Kind of `order`, by the numbers of `array_interface.h`: 0 ready, 1 and 2 CUDA, 3 and 4 SYCL.
   * Other backends have registered ranges, from 0x100 on.
   */
  readonly orderKind: number;
  /** The stream, queue or event that work must follow. 0n if there is none. */
  readonly order: bigint;
  /** The context. 0n: the default one. */
  readonly context: bigint;
  /** The addon's reference to the array. */
  readonly handle: object;
}

/**
 * The arguments with which an addon calls `capsuleContents`. Building an object or a list property
 * by property would take several times as long. `flags` are DLPack's. The last arguments are the
 * lengths of the axes, then the strides in elements, if there are any.
 */
export type CapsuleParts = readonly [
  major: number,
  minor: number,
  flags: number,
  data: bigint,
  byteOffset: bigint,
  deviceType: number,
  deviceId: number,
  code: number,
  bits: number,
  lanes: number,
  typestr: string | null,
  orderKind: number,
  order: bigint,
  context: bigint,
  handle: object,
  rank: number,
  ...axes: number[],
];

/** The owner of the descriptor of a capsule, or of an Arrow column, until the memory is borrowed. */
export class ImportedCapsule {
  /** The addon's reference to the array. Null until there is a descriptor. */
  handle: object | null;
  /** What else must stay alive until then. */
  readonly kept: unknown;
  /** For a backend whose first borrower is the handle itself. */
  isBorrowed = false;

  constructor(handle: object | null, kept: unknown = null) {
    this.handle = handle;
    this.kept = kept;
  }
}

/** Which capsules a backend accepts. */
export interface CapsuleRules {
  /** DLPack's device types. */
  readonly devices: readonly number[];
  /** What these devices have in common, such as `CUDA memory`. */
  readonly memory: string;
  /** Accepted kinds of order. */
  readonly orders: readonly number[];
  /** What else to do about another kind. */
  readonly cure?: string;
}

const READ_ONLY = 1;
const COPIED = 2;
const SUB_BYTE_PADDED = 4;
const OPAQUE = 3;
const MOST_LANES = 2 ** 16 - 1;

/**
 * Returns the fields of a capsule for an array. A dtype that DLPack lacks is written as its
 * typestr, without the fields of a record. Throws ERR_MASK, ERR_STREAM, ERR_DTYPE_UNSUPPORTED,
 * ERR_STRIDE_UNIT, ERR_POINTER_UNKNOWN.
 */
export function capsuleFields(array: ArrayDescriptor, device: DLPackDevice): CapsuleFields {
  try {
    return listed(toDLPack(array, { device }), null);
  } catch (error) {
    if (!isArrayInterfaceError(error, 'ERR_DTYPE_UNSUPPORTED', 'ERR_BYTE_ORDER')) throw error;
    return listed(opaqueTensor(array, device), array.dtype.typestr);
  }
}

type Tensor = Omit<DLPackFields, 'version' | 'copied' | 'byteOffset'>;

function listed(tensor: Tensor, typestr: string | null): CapsuleFields {
  const { readOnly, subBytePadded, data, device, dtype, shape, elementStrides } = tensor;
  const flags = (readOnly ? READ_ONLY : 0) | (subBytePadded ? SUB_BYTE_PADDED : 0);
  const { code, bits, lanes } = dtype;
  const strides = elementStrides ?? [];
  return [
    flags,
    data,
    device.type,
    device.id,
    code,
    bits,
    lanes,
    typestr,
    shape.length,
    ...shape,
    ...strides,
  ];
}

function opaqueTensor(array: ArrayDescriptor, device: DLPackDevice): Tensor {
  const { dtype, itemsize, shape, readOnly } = array;
  assertBare(array, 'a capsule');
  assertNoBits(array);
  if (itemsize === 0 || itemsize > MOST_LANES) {
    throw mismatch(
      'ERR_DTYPE_UNSUPPORTED',
      'dtype',
      `elements of 1 to ${MOST_LANES} bytes`,
      show(dtype.typestr),
      'view it as bytes',
    );
  }
  const elementStrides = wholeStrides(array, 'byteStrides');
  assertAddress(array, '');
  return {
    ...{ device, shape, elementStrides, readOnly },
    subBytePadded: false,
    data: array.size === 0 ? 0n : array.pointer,
    dtype: { code: OPAQUE, bits: 8, lanes: itemsize },
  };
}

/** Makes the contents of a capsule from an addon's arguments. Called by the addon. */
export const capsuleContents: (...parts: CapsuleParts) => CapsuleContents = (
  major,
  minor,
  flags,
  data,
  byteOffset,
  type,
  id,
  code,
  bits,
  lanes,
  typestr,
  orderKind,
  order,
  context,
  handle,
  rank,
  ...axes
) => {
  const fields = {
    version: { major, minor },
    readOnly: (flags & READ_ONLY) !== 0,
    copied: (flags & COPIED) !== 0,
    subBytePadded: (flags & SUB_BYTE_PADDED) !== 0,
    data,
    byteOffset,
    device: { type, id },
    dtype: { code, bits, lanes },
    shape: axes.slice(0, rank),
    elementStrides: rank > 0 && axes.length === rank ? null : axes.slice(rank),
  };
  return { fields, typestr, orderKind, order, context, handle };
};

/**
 * Returns the descriptor of a capsule's contents, owned by an `ImportedCapsule`. The backend adds
 * the order. Throws ERR_NOT_ACCESSIBLE for a device and ERR_STREAM for an order that the backend
 * does not accept, and all that `fromDLPack` throws.
 */
export function describeCapsule(
  { fields, typestr, orderKind, order, handle }: CapsuleContents,
  { devices, memory, orders, cure = '' }: CapsuleRules,
): ArrayDescriptor {
  const { device } = fields;
  if (!devices.includes(device.type)) {
    throw mismatch(
      'ERR_NOT_ACCESSIBLE',
      'producer',
      `an array in ${memory} (DLPack's device type ${devices.join(' or ')})`,
      `one on a device of type ${device.type}`,
      'get another capsule from its producer, import it with the backend of its device, and copy it with array()',
    );
  }
  if (!orders.includes(orderKind)) {
    throw mismatch(
      'ERR_STREAM',
      'producer',
      `an order of kind ${orders.join(', ')} of array_interface.h`,
      `kind ${orderKind}, which no queue of this backend can wait for`,
      `have its producer wait for its work and set AI_READY${cure}`,
    );
  }
  if (orderKind !== 0 && order === 0n) {
    throw mismatch(
      'ERR_STREAM',
      'producer',
      `the stream, queue or event of an order of kind ${orderKind}`,
      'none',
      'have its producer set `order`, or AI_READY',
    );
  }
  const owner = new ImportedCapsule(null);
  const array = describeTensor(fields, typestr, owner);
  // Set last: an error retains the readers' closures and must not retain the array.
  owner.handle = handle;
  return array;
}

/** An addon read the fields from the struct, so their types are right. Checks everything else. */
function describeTensor(
  fields: DLPackFields,
  typestr: string | null,
  owner: ImportedCapsule,
): ArrayDescriptor {
  const { version, device } = fields;
  if (version?.major !== DLPACK_VERSION.major || device.id < 0)
    return fromDLPack(fields, { owner });
  return withSubject(fields, () => {
    const element = typestr === null ? undefined : opaqueElement(fields, typestr);
    return describeFields(fields, readShape(fields.shape, 'shape'), owner, element);
  });
}

/**
 * Returns an element that DLPack has no type for. Its tensor counts it as that many opaque bytes.
 */
function opaqueElement({ dtype }: DLPackFields, typestr: string): DType {
  const { code, bits, lanes } = dtype;
  const element = readDType(typestr, 'typestr');
  if (code === OPAQUE && bits === 8 && lanes === element.itemsize) return element;
  throw mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    'typestr',
    `a typestr of opaque bytes (code ${OPAQUE}, 8 bits, as many lanes as bytes)`,
    `${show(typestr)} of code ${code} with ${bits} bits in ${lanes} lanes`,
    'its addon must set a DLPack dtype or a typestr, not both',
  );
}

/**
 * Returns what a driver may read as a capsule: the object itself, or what its method returns. Null
 * for anything else.
 */
export function capsuleOf(source: unknown): object | null {
  if (typeof source !== 'object' || source === null) return null;
  const give = withFallback(() => (source as Partial<ArrayProducer>)[arrayCapsule], undefined);
  if (typeof give === 'function') {
    const path = "[Symbol.for('array-interface.array')]";
    return asked('ERR_NO_INTERFACE', path, () => give.call(source));
  }
  // The engine's external values have no prototype.
  const isBare = withFallback(() => Object.getPrototypeOf(source) === null, false);
  return isBare ? source : null;
}
