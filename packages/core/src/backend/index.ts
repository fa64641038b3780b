/** What authors of backends need; users of arrays need only the package's main entry. */
export { abortable } from './abort.js';
export {
  type ArrayLike,
  type Backend,
  BackendArray,
  type Owned,
  type Producer,
  type View,
} from './array.js';
export { BaseBackend } from './base-backend.js';
export { checkCopy } from './check-copy.js';
export type { Conversion, NumberType } from './conversion.js';
export { describeSource } from './describe-source.js';
export type { Allocation, Availability, Device, MemoryKind, PointerInfo } from './device.js';
export type { Driver, ImportedMemory, Reach } from './driver.js';
export { loadAddon, type NativeAddon } from './load-addon.js';
export { type BackendIdentity, Memory, memoryOf } from './memory.js';
export type {
  ArrayOptions,
  BorrowOptions,
  Casting,
  CopyOptions,
  EmptyOptions,
  Progress,
  QueueOptions,
  Sync,
} from './options.js';
export type { Nested } from './plain-array.js';
export { type CopyPlan, type CopyUnit, isContiguous, planCopy } from './plan-copy.js';
export { type Event, Queue, type WaitOptions } from './queue.js';
export type { Staging } from './staging.js';
export { type TypedArray, typedArray } from './typed-array.js';
