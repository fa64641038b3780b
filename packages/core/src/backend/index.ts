/** What authors of backends need; users of arrays need only the package's main entry. */
export { abortable } from './abort.js';
export { BackendArray } from './array.js';
export type {
  ArrayLike,
  ArrayOptions,
  Availability,
  Backend,
  BorrowOptions,
  Casting,
  CopyOptions,
  Device,
  EmptyOptions,
  MemoryKind,
  Nested,
  PointerInfo,
  Producer,
  Progress,
  Protocol,
  QueueOptions,
  Sync,
  TypedArray,
} from './backend.js';
export { BaseBackend, describeSource } from './base-backend.js';
export type { Conversion, NumberType } from './conversion.js';
export type { Guest } from './end.js';
export { loadAddon, type NativeAddon } from './load-addon.js';
export { type Allocation, Memory, memoryOf } from './memory.js';
export { type CopyPlan, type CopyUnit, isContiguous, planCopy } from './plan-copy.js';
export { type Event, Queue, type WaitOptions } from './queue.js';
export type { Staging } from './staging.js';
export { typedArray } from './typed-array.js';
export { waitForUnknown } from './wait-for-unknown.js';
