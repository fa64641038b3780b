/**
 * What authors of backends need besides the package's main entry, and the types of what devices,
 * memories and queues tell.
 */
export { replace } from '../descriptor/descriptor.js';
export { show } from '../errors/show.js';
export type { HostCode, Kernel } from '../kernel/kernel.js';
export type { Signature, Slot } from '../kernel/signature.js';
export { namedOwner } from '../protocols/written.js';
export { abortable, throwIfAborted } from './abort.js';
export { BackendArray } from './array.js';
export { BaseBackend } from './base-backend.js';
export { BuiltKernels } from './built-kernels.js';
export { cLibrary } from './c-library.js';
export {
  type ArrayCapsule,
  arrayCapsule,
  type CapsuleContents,
  type CapsuleFields,
  type CapsuleParts,
  capsuleContents,
  capsuleFields,
  describeCapsule,
  TakenCapsule,
} from './capsule.js';
export { checkCasting } from './casting.js';
export { checkCopy } from './check-copy.js';
export type { Conversion, NumberType } from './conversion.js';
export { describeSource } from './describe-source.js';
export type { Allocation, Availability, DeviceInfo, MemoryKind, PointerInfo } from './device.js';
export type {
  Driver,
  GroupLimits,
  ImportedMemory,
  Launch,
  LaunchLimits,
  OwnOptions,
  Reach,
  Use,
} from './driver.js';
export type { Exposure } from './exposures.js';
export { groupFor } from './group-for.js';
export { internals, type MemoryInternals, type QueueInternals } from './internals.js';
export { isInstance } from './is-instance.js';
export { type ReadCode, readBytes, readCode } from './kernel-code.js';
export { checkSync } from './known-options.js';
export { type ByteRange, LastTouches } from './last-touches.js';
export {
  type AddonPlaces,
  backendUnavailable,
  type LoadedAddon,
  loadAddon,
  type NativeAddon,
  type Unavailable,
} from './load-addon.js';
export { type BackendIdentity, Memory, memoryOf, outOfBounds } from './memory.js';
export type { Casting, CopyProgress, Sync } from './options.js';
export { type CopyPlan, type CopyUnit, isContiguous, planCopy } from './plan-copy.js';
export { BackendQueue, type QueueEvent, readSignal } from './queue.js';
export {
  type Check,
  type Checks,
  checkByteCount,
  checkDeviceIndex,
  checkFlag,
  checkThat,
  readOptions,
  unchecked,
} from './read-options.js';
export { settle } from './settle.js';
export { splitUses } from './split-uses.js';
export type { Staging } from './staging.js';
export { type ArrayStandIn, arrayProducer } from './stand-in.js';
export {
  endedTicket,
  type Held,
  type OpenedTicket,
  SHARE_OPTIONS,
  type ShareOptions,
  type ThreadTicket,
  ThreadTickets,
  type TicketTable,
} from './thread-ticket.js';
export {
  assertUnmasked,
  FORGED,
  isHex,
  isSize,
  LAYOUT_FIELDS,
  leaseFields,
  openLayout,
  type SharedLayout,
  type SharedTicket,
  sharedLayout,
  TicketForm,
  ticketError,
} from './ticket.js';
export {
  OPEN_SHARED_OPTIONS,
  type OpenSharedOptions,
  type TicketFile,
  ticketFileError,
} from './ticket-file.js';
export { type TicketSurroundings, ticketSurroundings } from './ticket-surroundings.js';
export { isElevated, type NodeRequire, whyUntrusted } from './trusted-path.js';
export { typedArray } from './typed-array.js';
