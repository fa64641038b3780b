import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';

/** As what elements travel: the smaller of the two, converted on the side of the larger. */
export function stagedDType(to: ArrayDescriptor, from: ArrayDescriptor): DType {
  return to.itemsize < from.itemsize ? to.dtype : from.dtype;
}
