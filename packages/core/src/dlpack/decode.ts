import { mismatch } from '../errors/mismatch.js';
import { badArgument, checkOptions, readOption } from '../input/argument.js';
import { readCount, readDimension, readPointer } from '../input/integer.js';
import { MAX_RANK } from '../input/shape.js';
import { DLPACK_VERSION, type DLPackFields, type DLPackVersion } from './fields.js';
import { bytesAt, type ReadMemory, readReader } from './foreign-memory.js';
import { type DLPackStruct, FLAGS, LAYOUTS, readStruct, TENSOR } from './structs.js';

/** How a struct is read. */
export interface DLPackDecodeOptions {
  /** Reads memory of this process. */
  readonly read: ReadMemory;
  /** The struct at the address. Default: `DLManagedTensorVersioned`. */
  readonly struct?: DLPackStruct;
}

/** The contents of a struct of dlpack.h. */
export interface DecodedDLPack extends DLPackFields {
  /** The producer's own pointer; 0 if there is none. */
  readonly managerCtx: bigint;
  /** The address of the C function that takes the struct back; 0 if there is none. */
  readonly deleter: bigint;
}

/** A struct at an address. */
type Location = ReturnType<typeof locationOf>;

/** The first minor version whose strides are never NULL. */
const WITH_STRIDES = 2;

/**
 * Reads the struct of dlpack.h 1.0 to 1.3 at an address, laid out for 64 bits, little-endian.
 * `fromDLPack` makes a descriptor of the result.
 *
 * Copies what it reads of the struct, its shape and its strides, but none of the elements. Calls
 * nothing. The recipient of a managed tensor calls its deleter once, with the struct's address,
 * when nobody uses the elements any more, even if this throws. Throws ERR_ARGUMENT, ERR_TYPE,
 * ERR_POINTER_RANGE, ERR_NULL_POINTER, ERR_OUT_OF_BOUNDS, ERR_VERSION, ERR_RANK_MISMATCH,
 * ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW.
 *
 * @example
 * ```ts
 * import { decodeDLPack, fromDLPack, type ReadMemory } from '@array-interface/core/dlpack';
 *
 * declare const read: ReadMemory; // such as `koffi.view`
 * declare const address: bigint; // of a DLManagedTensorVersioned
 * const tensor = decodeDLPack(address, { read });
 * const array = fromDLPack(tensor);
 * ```
 */
export function decodeDLPack(
  address: bigint | number,
  options: DLPackDecodeOptions,
): DecodedDLPack {
  const location = locationOf(address, options);
  const version = readVersion(location);
  return {
    version,
    ...readFlags(location),
    ...readManager(location),
    ...readTensor(location, version),
  };
}

/**
 * Returns the address of a managed tensor's deleter, which is at the same offset in every version;
 * 0 if there is none. Copies nothing else, calls nothing and does not block. Implements `deleter`
 * of dlpack.h. Throws ERR_ARGUMENT (a `DLTensor` has none), ERR_TYPE, ERR_POINTER_RANGE,
 * ERR_NULL_POINTER, ERR_OUT_OF_BOUNDS.
 */
export function decodeDLPackDeleter(
  address: bigint | number,
  options: DLPackDecodeOptions,
): bigint {
  const location = locationOf(address, options);
  if (location.struct !== 'DLTensor') return readManager(location).deleter;
  throw badArgument('struct', 'one with a deleter', location.struct);
}

function locationOf(address: unknown, given: DLPackDecodeOptions) {
  const options = given ?? {};
  checkOptions(options, ['read', 'struct']);
  return {
    read: readReader(readOption(options, 'read')),
    struct: readStruct(readOption(options, 'struct')),
    start: readPointer(address, 'address'),
  };
}

/** Returns the bytes of the part of the struct that starts at `offset`. */
function part(
  { read, start }: Location,
  offset: number,
  byteLength: number,
  path: string,
): DataView {
  if (start === 0n) throw mismatch('ERR_NULL_POINTER', 'address', 'the address of a struct', '0');
  return bytesAt(read, start + BigInt(offset), byteLength, path);
}

function readVersion(location: Location): DLPackVersion | null {
  const at = LAYOUTS[location.struct].version;
  if (at === null) return null;
  const bytes = part(location, at, 8, 'version');
  const [major, minor] = [bytes.getUint32(0, true), bytes.getUint32(4, true)];
  if (major === DLPACK_VERSION.major) return { major, minor };
  throw mismatch(
    'ERR_VERSION',
    'version.major',
    `version ${DLPACK_VERSION.major}`,
    major,
    'call its deleter (decodeDLPackDeleter), and use nothing else of it',
  );
}

function readManager(location: Location): Pick<DecodedDLPack, 'managerCtx' | 'deleter'> {
  const at = LAYOUTS[location.struct].manager;
  if (at === null) return { managerCtx: 0n, deleter: 0n };
  const bytes = part(location, at, 16, 'manager_ctx');
  return { managerCtx: bytes.getBigUint64(0, true), deleter: bytes.getBigUint64(8, true) };
}

/** Ignores bits that a later minor version adds. */
function readFlags(location: Location): Pick<DLPackFields, keyof typeof FLAGS> {
  const at = LAYOUTS[location.struct].flags;
  const bits = at === null ? 0n : part(location, at, 8, 'flags').getBigUint64(0, true);
  const has = (flag: bigint) => (bits & flag) !== 0n;
  return {
    readOnly: has(FLAGS.readOnly),
    copied: has(FLAGS.copied),
    subBytePadded: has(FLAGS.subBytePadded),
  };
}

function readTensor(
  location: Location,
  version: DLPackVersion | null,
): Pick<DLPackFields, 'data' | 'byteOffset' | 'device' | 'dtype' | 'shape' | 'elementStrides'> {
  const bytes = part(
    location,
    LAYOUTS[location.struct].tensor,
    LAYOUTS.DLTensor.byteLength,
    'dl_tensor',
  );
  const ndim = checkNdim(bytes.getInt32(TENSOR.ndim, true));
  const shape = bytes.getBigUint64(TENSOR.shape, true);
  const strides = bytes.getBigUint64(TENSOR.strides, true);
  const mayLackStrides = ndim === 0 || version === null || version.minor < WITH_STRIDES;
  return {
    data: bytes.getBigUint64(TENSOR.data, true),
    byteOffset: bytes.getBigUint64(TENSOR.byteOffset, true),
    device: {
      type: bytes.getInt32(TENSOR.deviceType, true),
      id: bytes.getInt32(TENSOR.deviceId, true),
    },
    dtype: {
      code: bytes.getUint8(TENSOR.code),
      bits: bytes.getUint8(TENSOR.bits),
      lanes: bytes.getUint16(TENSOR.lanes, true),
    },
    shape: readList(location, shape, ndim, 'dl_tensor.shape', readDimension),
    elementStrides:
      strides === 0n && mayLackStrides
        ? null
        : readList(location, strides, ndim, 'dl_tensor.strides', readCount),
  };
}

/** Checks the number of axes, so that a producer's number does not decide how much is read. */
function checkNdim(ndim: number): number {
  if (ndim >= 0 && ndim <= MAX_RANK) return ndim;
  throw mismatch('ERR_RANK_MISMATCH', 'dl_tensor.ndim', `0 .. ${MAX_RANK} dimensions`, ndim);
}

/** Reads one number for each axis. Without axes, the pointer has no meaning. */
function readList(
  { read }: Location,
  address: bigint,
  ndim: number,
  path: string,
  check: (value: bigint, path: string, axis: number) => number,
): number[] {
  if (ndim === 0) return [];
  const bytes = bytesAt(read, address, ndim * 8, path);
  return Array.from({ length: ndim }, (_, axis) =>
    check(bytes.getBigInt64(axis * 8, true), path, axis),
  );
}
