export type {
  ArrayLike,
  Backend,
  BackendArray,
  Owned,
  Producer,
  View,
} from './backend/array.js';
export type {
  Allocation,
  Availability,
  Device,
  MemoryKind,
  PointerInfo,
} from './backend/device.js';
export type {
  ArrayOptions,
  BorrowOptions,
  Casting,
  CopyOptions,
  EmptyOptions,
  Progress,
  QueueOptions,
  Sync,
} from './backend/options.js';
export type { Nested } from './backend/plain-array.js';
export type { Event, Queue, WaitOptions } from './backend/queue.js';
export type { TypedArray } from './backend/typed-array.js';
export type { WorkOptions } from './bounded-sum.js';
export { broadcastArrays } from './broadcast-arrays.js';
export { broadcastTo } from './broadcast-to.js';
export type { Descr, DescrEntry } from './descr.js';
export { ATTRIBUTES, type DescribeOptions, describe } from './describe.js';
export {
  ArrayDescriptor,
  type Base,
  type Buffer,
  isArrayDescriptor,
  type Layout,
} from './descriptor.js';
export {
  type ByteOrder,
  type DType,
  type DTypeLike,
  type DTypeName,
  dtype,
  type Field,
  type Kind,
  sameDType,
} from './dtype.js';
export {
  ArrayInterfaceError,
  type DriverFailure,
  type ErrorCode,
  isArrayInterfaceError,
} from './error.js';
export { expandDims } from './expand-dims.js';
export { field } from './field.js';
export { flip } from './flip.js';
export { fromArrayInterface } from './from-array-interface.js';
export { fromCudaArrayInterface, type ReadOptions } from './from-cuda-array-interface.js';
export { type Belongings, fromPlain, type PlainReadOptions } from './from-plain.js';
export {
  fromSyclUsmArrayInterface,
  type SyclReadOptions,
} from './from-sycl-usm-array-interface.js';
export type { Contiguity, Extent } from './layout.js';
export { type DescriptorInit, makeDescriptor } from './make-descriptor.js';
export { mayShareMemory } from './may-share-memory.js';
export type { NamedDType } from './named-dtypes.js';
export { overlapsItself } from './overlaps-itself.js';
export { permuteDims } from './permute-dims.js';
export type { Protocol } from './protocol.js';
export { type ReshapeOptions, reshape } from './reshape.js';
export { sharesMemory } from './shares-memory.js';
export { type SliceRange, slice } from './slice.js';
export { squeeze } from './squeeze.js';
export {
  type ByteStrides,
  byteStrides,
  contiguousByteStrides,
  type ElementStrides,
  elementStrides,
  type StridesLike,
  toByteStrides,
  toElementStrides,
} from './strides.js';
export type { SyclCapsule, SyclCapsuleProvider, SyclObject } from './syclobj.js';
export { type ArrayInterface, toArrayInterface } from './to-array-interface.js';
export {
  type CudaArrayInterface,
  type CudaWriteOptions,
  toCudaArrayInterface,
} from './to-cuda-array-interface.js';
export { type PlainDescriptor, toPlain } from './to-plain.js';
export {
  type SyclUsmArrayInterface,
  type SyclWriteOptions,
  toSyclUsmArrayInterface,
} from './to-sycl-usm-array-interface.js';
export { transpose } from './transpose.js';
export { view } from './view.js';
