/** Arrays as the fields of DLPack 1.x, and the reverse. */

export type { NamedDType } from '../dtype/named-dtypes.js';
export {
  DLPACK_DEVICES,
  type DLPackDevice,
  type DLPackDType,
  type DLPackFields,
} from './fields.js';
export { fromDLPack } from './from-dlpack.js';
export { type DLPackWriteOptions, toDLPack } from './to-dlpack.js';
