import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';

/** The dtype in which elements cross: the smaller of the two. The side of the larger converts. */
export function stagedDType(to: ArrayDescriptor, from: ArrayDescriptor): DType {
  return to.itemsize < from.itemsize ? to.dtype : from.dtype;
}
