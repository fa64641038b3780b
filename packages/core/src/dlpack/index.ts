/**
 * Converts arrays to the fields of DLPack 1.x and those to the structs of dlpack.h, and the
 * reverse.
 */

export type { NamedDType } from '../dtype/named-dtypes.js';
export {
  type DecodedDLPack,
  type DLPackDecodeOptions,
  decodeDLPack,
  decodeDLPackDeleter,
} from './decode.js';
export { DLPACK_DEVICES, type DLPackDevice } from './device.js';
export { type AddressOf, type DLPackEncodeOptions, encodeDLPack } from './encode.js';
export {
  DLPACK_VERSION,
  type DLPackDType,
  type DLPackFields,
  type DLPackVersion,
} from './fields.js';
export type { ReadMemory } from './foreign-memory.js';
export { fromDLPack } from './from-dlpack.js';
export type { DLPackStruct } from './structs.js';
export { type DLPackWriteOptions, toDLPack } from './to-dlpack.js';
