import { contiguousByteStrides } from '../descriptor/strides.js';
import { mismatch } from '../errors/mismatch.js';
import { showList } from '../errors/show.js';
import { withSubject } from '../errors/with-subject.js';
import { badArgument, checkOptions, readOption } from '../input/argument.js';
import { asked } from '../input/dict.js';
import { isAddress, readPointer } from '../input/integer.js';
import { DLPACK_VERSION, type DLPackFields, readFields } from './fields.js';
import { type DLPackStruct, FLAGS, LAYOUTS, readStruct, TENSOR } from './structs.js';

/** Returns the address of a buffer in memory, as `koffi.address` does. */
export type AddressOf = (bytes: Uint8Array) => bigint | number;

/** How a struct is written. */
export interface DLPackEncodeOptions {
  /**
   * The address at which C will read the bytes, or a function that returns the address of bytes
   * passed to it.
   */
  readonly address: bigint | number | AddressOf;
  /**
   * The struct to write. Default: `DLManagedTensorVersioned`. A C function that takes an array for
   * one call takes a `DLTensor`.
   */
  readonly struct?: DLPackStruct;
  /** The producer's own pointer, for its deleter. Default: 0. */
  readonly managerCtx?: bigint | number;
  /**
   * The address of a C function that the consumer calls with the struct's address. Default: 0,
   * none.
   */
  readonly deleter?: bigint | number;
}

/** The contents of a struct. */
type Content = ReturnType<typeof contentOf>;

/**
 * Writes a struct of dlpack.h 1.3, laid out for 64 bits, little-endian, followed by its shape and
 * its strides in the same buffer.
 *
 * They point to one another, so the bytes are valid at their address only. Copies no elements,
 * calls nothing in C, and keeps nothing: the caller keeps the bytes and the elements alive until C
 * has finished with them. For a managed tensor, that is when its deleter is called. Throws what
 * `fromDLPack` throws for a single field, and ERR_ARGUMENT, ERR_NULL_POINTER (the address),
 * ERR_READ_ONLY and ERR_DTYPE_UNSUPPORTED (a struct without flags).
 *
 * @example
 * ```ts
 * import { DLPACK_DEVICES, encodeDLPack, toDLPack } from '@array-interface/core/dlpack';
 * import { host } from '@array-interface/host';
 *
 * declare const address: (bytes: Uint8Array) => bigint; // such as `koffi.address`
 * using array = host.empty([3], 'float32');
 * const device = { type: DLPACK_DEVICES.cpu, id: 0 };
 * const fields = toDLPack(array.descriptor, { device });
 * const struct = encodeDLPack(fields, { address, struct: 'DLTensor' });
 * ```
 */
export function encodeDLPack(fields: DLPackFields, options: DLPackEncodeOptions): Uint8Array {
  return withSubject(fields, () => write(contentOf(fields, options)));
}

function contentOf(fields: unknown, given: DLPackEncodeOptions) {
  const options = given ?? {};
  checkOptions(options, ['address', 'struct', 'managerCtx', 'deleter']);
  return {
    struct: readStruct(readOption(options, 'struct')),
    fields: readFields(fields),
    address: readOption(options, 'address') as unknown, // read later: maybe a function of the bytes
    managerCtx: readPointer(readOption(options, 'managerCtx', 0n), 'managerCtx'),
    deleter: readPointer(readOption(options, 'deleter', 0n), 'deleter'),
  };
}

/** Throws if a struct has no field for what it is to hold. */
function checkHolds({ struct, fields, managerCtx, deleter }: Content): void {
  const { manager, flags } = LAYOUTS[struct];
  for (const [option, given] of Object.entries({ managerCtx, deleter })) {
    if (manager === null && given !== 0n)
      throw badArgument(option, `0, since a ${struct} has no such field`, given);
  }
  if (flags !== null) return;
  if (fields.readOnly) {
    throw mismatch(
      'ERR_READ_ONLY',
      'readOnly',
      `a writable array, since a ${struct} has no read-only flag`,
      'a read-only one',
      'pass { ...fields, readOnly: false } if the C code only reads',
    );
  }
  if (fields.subBytePadded) {
    throw mismatch(
      'ERR_DTYPE_UNSUPPORTED',
      'subBytePadded',
      `no padded elements, since a ${struct} has no flag for them`,
      'padded ones',
      'write a DLManagedTensorVersioned',
    );
  }
}

function write(content: Content): Uint8Array {
  checkHolds(content);
  const { byteLength, tensor } = LAYOUTS[content.struct];
  const { shape, elementStrides } = content.fields;
  const listLength = shape.length * 8;
  // The garbage collector may move a typed array that has no buffer yet.
  const buffer = new ArrayBuffer(byteLength + 2 * listLength);
  const view = new DataView(buffer);
  const bytes = new Uint8Array(buffer);
  writeHead(view, content);
  const strides = elementStrides ?? denseStrides(shape);
  writeList(view, byteLength, shape);
  writeList(view, byteLength + listLength, strides);
  const lists = readAddress(content.address, bytes) + BigInt(byteLength);
  if (shape.length > 0) {
    view.setBigUint64(tensor + TENSOR.shape, lists, true);
    view.setBigUint64(tensor + TENSOR.strides, lists + BigInt(listLength), true);
  }
  return bytes;
}

/** Returns the strides of a C-contiguous array, whose fields contain none. Throws ERR_OVERFLOW. */
function denseStrides(shape: readonly number[]): readonly number[] {
  const strides = contiguousByteStrides(shape, 1);
  if (shape.includes(0) || !strides.includes(0)) return strides; // 0: it is past 2^53 - 1
  throw mismatch(
    'ERR_OVERFLOW',
    'shape',
    'lengths whose strides are within 2^53 - 1',
    showList(shape),
  );
}

/** Writes everything except the two pointers to what follows the struct. */
function writeHead(view: DataView, { struct, fields, managerCtx, deleter }: Content): void {
  const { version, manager, flags, tensor } = LAYOUTS[struct];
  if (version !== null) {
    const { major, minor } = fields.version ?? DLPACK_VERSION;
    view.setUint32(version, major, true);
    view.setUint32(version + 4, minor, true);
  }
  if (manager !== null) {
    view.setBigUint64(manager, managerCtx, true);
    view.setBigUint64(manager + 8, deleter, true);
  }
  if (flags !== null) view.setBigUint64(flags, flagsOf(fields), true);
  writeTensor(new DataView(view.buffer, tensor), fields);
}

function flagsOf(fields: DLPackFields): bigint {
  const names = Object.keys(FLAGS) as (keyof typeof FLAGS)[];
  return names.reduce((bits, name) => (fields[name] ? bits | FLAGS[name] : bits), 0n);
}

function writeTensor(
  view: DataView,
  { data, device, shape, dtype, byteOffset }: DLPackFields,
): void {
  view.setBigUint64(TENSOR.data, data, true);
  view.setInt32(TENSOR.deviceType, device.type, true);
  view.setInt32(TENSOR.deviceId, device.id, true);
  view.setInt32(TENSOR.ndim, shape.length, true);
  view.setUint8(TENSOR.code, dtype.code);
  view.setUint8(TENSOR.bits, dtype.bits);
  view.setUint16(TENSOR.lanes, dtype.lanes, true);
  view.setBigUint64(TENSOR.byteOffset, byteOffset, true);
}

function writeList(view: DataView, offset: number, numbers: readonly number[]): void {
  numbers.forEach((number, index) => {
    view.setBigInt64(offset + index * 8, BigInt(number), true);
  });
}

/**
 * Reads the option `address`. Throws ERR_ARGUMENT, ERR_TYPE, ERR_POINTER_RANGE, ERR_NULL_POINTER,
 * ERR_OVERFLOW.
 */
function readAddress(option: unknown, bytes: Uint8Array): bigint {
  const given =
    typeof option === 'function'
      ? asked('ERR_ARGUMENT', 'address', () => (option as AddressOf)(bytes))
      : option;
  const address = readPointer(given, 'address');
  if (bytes.length === 0)
    throw badArgument('address', 'an attached buffer', bytes, 'a detached one');
  if (address === 0n) {
    throw mismatch('ERR_NULL_POINTER', 'address', 'the address at which C reads the bytes', '0');
  }
  if (address % 8n !== 0n)
    throw badArgument('address', 'an address aligned to 8 bytes, as C requires', address);
  if (isAddress(address + BigInt(bytes.length))) return address;
  throw mismatch(
    'ERR_OVERFLOW',
    'address',
    `an address followed by ${bytes.length} bytes below 2^64`,
    address,
  );
}
