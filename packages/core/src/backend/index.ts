/**
 * What authors of backends need besides the package's main entry, and the types of what devices,
 * memories and queues tell.
 */
export { replace } from '../descriptor/descriptor.js';
export { show } from '../errors/show.js';
export type { HostCode, Kernel } from '../kernel/kernel.js';
export type { Signature, Slot } from '../kernel/signature.js';
export { namedOwner } from '../protocols/written.js';
export { abortable, throwIfAborted } from '../input/abort.js';
export { BackendArray } from './interface/array.js';
export { BaseBackend } from './base-backend.js';
export { BuiltKernels } from './launch/built-kernels.js';
export { cLibrary } from './addon/c-library.js';
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
} from './interface/capsule.js';
export { checkCasting } from '../numbers/casting.js';
export { checkCopy } from '../plan/check-copy.js';
export type { Conversion, NumberType } from '../numbers/conversion.js';
export { describeSource } from './access/describe-source.js';
export type { Allocation, Availability, DeviceInfo, MemoryKind, PointerInfo } from './interface/device.js';
export type {
  Driver,
  GroupLimits,
  ImportedMemory,
  Launch,
  LaunchLimits,
  OwnOptions,
  Reach,
  Use,
} from './interface/driver.js';
export type { Exposure } from './interface/exposures.js';
export { groupFor } from './launch/group-for.js';
export { internals, type MemoryInternals, type QueueInternals } from './interface/internals.js';
export { isInstance } from '../input/is-instance.js';
export { type ReadCode, readBytes, readCode } from './launch/kernel-code.js';
export { checkSync } from './interface/known-options.js';
export { type ByteRange, LastTouches } from './order/last-touches.js';
export {
  type AddonPlaces,
  backendUnavailable,
  type LoadedAddon,
  loadAddon,
  type NativeAddon,
  type Unavailable,
} from './addon/load-addon.js';
export { type BackendIdentity, Memory, memoryOf, outOfBounds } from './interface/memory.js';
export type { Casting, CopyProgress, Sync } from './interface/options.js';
export { type CopyPlan, type CopyUnit, isContiguous, planCopy } from '../plan/plan-copy.js';
export { BackendQueue, type QueueEvent, readSignal } from './interface/queue.js';
export {
  type Check,
  type Checks,
  checkByteCount,
  checkDeviceIndex,
  checkFlag,
  checkThat,
  readOptions,
  unchecked,
} from '../input/options.js';
export { settle } from './access/settle.js';
export { splitUses } from './launch/split-uses.js';
export type { Staging } from './interface/staging.js';
export { type ArrayStandIn, arrayProducer } from './interface/producer.js';
export {
  endedTicket,
  type Held,
  type OpenedTicket,
  SHARE_OPTIONS,
  type ShareOptions,
  type ThreadTicket,
  ThreadTickets,
  type TicketTable,
} from './share/thread-ticket.js';
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
} from './share/ticket.js';
export {
  OPEN_SHARED_OPTIONS,
  type OpenSharedOptions,
  type TicketFile,
  ticketFileError,
} from './share/ticket-file.js';
export { type TicketSurroundings, ticketSurroundings } from './share/ticket-surroundings.js';
export { isElevated, type NodeRequire, whyUntrusted } from './addon/trusted-path.js';
export { typedArray } from '../numbers/typed-array.js';
