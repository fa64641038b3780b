export type {
  ArrayFunctions,
  ArrayLike,
  ArrayMetadata,
  ArrayView,
  Backend,
  BackendArray,
  OwnedArray,
  Owner,
  Producer,
  UsedArrays,
} from './backend/interface/array.js';
export type { ArrayCapsule, ArrayProducer } from './backend/interface/capsule.js';
export type {
  AxisOption,
  ConcatOptions,
  DTypeOption,
  EyeOptions,
  LinspaceOptions,
  PutOptions,
  RollOptions,
  StackOptions,
} from './backend/interface/function-options.js';
export { isBackendArray } from './backend/interface/is-backend-array.js';
export type {
  AllCloseOptions,
  ArrayOptions,
  BorrowOptions,
  CopyOptions,
  EmptyOptions,
  LaunchOptions,
  MapOptions,
  ReadOptions,
  TextOptions,
} from './backend/interface/options.js';
export type { BackendQueue, WaitOptions } from './backend/interface/queue.js';
export type { DescribedArray } from './descriptor/described-array.js';
export { type ArrayDescriptor, isArrayDescriptor } from './descriptor/descriptor.js';
export { type DescriptorInit, makeDescriptor } from './descriptor/make-descriptor.js';
export type { ByteStrides, ElementStrides } from './descriptor/strides.js';
export type { SyclCapsule, SyclObject } from './descriptor/syclobj.js';
export type {
  Descr,
  DType,
  DTypeLike,
  DTypeName,
  DTypeText,
  OtherDTypeName,
  RecordField,
  RecordLike,
  Typestr,
} from './dtype/dtype.js';
export { dtypesEqual } from './dtype/dtypes-equal.js';
export { dtype } from './dtype/read-dtype.js';
export { ArrayInterfaceError, type ErrorCode, isArrayInterfaceError } from './errors/error.js';
export { printable } from './errors/show.js';
export type { NestedNumbers } from './numbers/plain-array.js';
export type {
  ComplexNumber,
  ElementValue,
  NestedElements,
  RecordValue,
} from './numbers/read-element.js';
export type { MappedArrays, TypedArray, TypedArrays } from './numbers/typed-array.js';
export type { NestedRows } from './plan/gather-rows.js';
export type { SettledOption } from './protocols/assert-writable.js';
export {
  type CudaArrayInterface,
  fromCudaArrayInterface,
  toCudaArrayInterface,
} from './protocols/cuda.js';
export { fromProducer } from './protocols/from-producer.js';
export { type ArrayInterface, fromArrayInterface, toArrayInterface } from './protocols/host.js';
export type {
  BackendProtocol,
  InterfaceDict,
  OwnProtocol,
  Protocol,
} from './protocols/protocol.js';
export { protocols } from './protocols/protocols.js';
export {
  fromSyclUsmArrayInterface,
  type SyclUsmArrayInterface,
  toSyclUsmArrayInterface,
} from './protocols/sycl.js';
export { broadcastArrays, broadcastShapes, broadcastTo } from './views/broadcast.js';
export { field } from './views/field.js';
export { flip, permuteDims, transpose } from './views/permute-dims.js';
export type { LayoutOptions } from './views/relayout.js';
export { expandDims, reshape, squeeze } from './views/reshape.js';
export { type SliceRange, slice } from './views/slice.js';
export { view } from './views/view.js';
