export type { ArrayLike, Backend, BackendArray, Owned, Producer, View } from './backend/array.js';
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
export { ArrayDescriptor, isArrayDescriptor } from './descriptor/descriptor.js';
export { type Belongings, fromPlain, type PlainReadOptions } from './descriptor/deserialize.js';
export type { Base, Contiguity, Extent, Layout } from './descriptor/layout.js';
export { type DescriptorInit, makeDescriptor } from './descriptor/make-descriptor.js';
export { type PlainDescriptor, toPlain } from './descriptor/serialize.js';
export {
  type ByteStrides,
  byteStrides,
  contiguousByteStrides,
  type ElementStrides,
  elementStrides,
  type StridesLike,
  toByteStrides,
  toElementStrides,
} from './descriptor/strides.js';
export type { Descr, DescrEntry } from './dtype/descr.js';
export {
  type ByteOrder,
  type DType,
  type DTypeLike,
  type DTypeName,
  type Field,
  type Kind,
  sameDType,
} from './dtype/dtype.js';
export type { NamedDType } from './dtype/named-dtypes.js';
export { dtype } from './dtype/read-dtype.js';
export {
  ArrayInterfaceError,
  type DriverFailure,
  type ErrorCode,
  isArrayInterfaceError,
} from './errors/error.js';
export { explain } from './errors/explain.js';
export { printable } from './errors/show.js';
export type { WorkOptions } from './overlap/bounded-sum.js';
export { mayShareMemory } from './overlap/may-share-memory.js';
export { overlapsItself } from './overlap/overlaps-itself.js';
export { sharesMemory } from './overlap/shares-memory.js';
export {
  type CudaArrayInterface,
  type CudaWriteOptions,
  fromCudaArrayInterface,
  type ReadOptions,
  toCudaArrayInterface,
} from './protocols/cuda.js';
export { ATTRIBUTES, type DescribeOptions, describe } from './protocols/from-producer.js';
export { type ArrayInterface, fromArrayInterface, toArrayInterface } from './protocols/host.js';
export type { Protocol } from './protocols/protocol.js';
export {
  fromSyclUsmArrayInterface,
  type SyclReadOptions,
  type SyclUsmArrayInterface,
  type SyclWriteOptions,
  toSyclUsmArrayInterface,
} from './protocols/sycl.js';
export type { SyclCapsule, SyclCapsuleProvider, SyclObject } from './protocols/syclobj.js';
export { broadcastArrays, broadcastTo } from './views/broadcast.js';
export { field } from './views/field.js';
export { flip, permuteDims, transpose } from './views/permute-dims.js';
export { expandDims, type ReshapeOptions, reshape, squeeze } from './views/reshape.js';
export { type SliceRange, slice } from './views/slice.js';
export { view } from './views/view.js';
