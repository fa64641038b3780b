/**
 * What authors of backends need besides the package's main entry, and the types that describe
 * devices, memories and queues.
 */
export { type AnyLaunch, type AtOnce, atOnce } from '../arrays/at-once.js';
export { describeArrow } from '../arrow/describe.js';
export { type ArrowLevel, arrowLevels } from '../arrow/levels.js';
export {
  ARROW_ARRAY,
  ARROW_SCHEMA,
  type ArrowStructs,
  type ReadStruct,
  readArrowStructs,
} from '../arrow/structs.js';
export { replace } from '../descriptor/descriptor.js';
export { show } from '../errors/show.js';
export { beginAtCaller } from '../errors/stack.js';
export { abortable, throwIfAborted } from '../input/abort.js';
export { isInstance } from '../input/is-instance.js';
export {
  type Check,
  type Checks,
  checkByteCount,
  checkDeviceIndex,
  checkFlag,
  checkSignal,
  checkThat,
  readOptions,
  unchecked,
} from '../input/options.js';
export type { HostCode, Kernel } from '../kernel/kernel.js';
export { type NumberValue, readNumber } from '../kernel/number.js';
export { type Signature, type Slot, slotBytes } from '../kernel/signature.js';
export { decodeStruct, type Fields } from '../kernel/struct.js';
export { type Casting, checkCasting } from '../numbers/casting.js';
export type { Conversion, NumberType } from '../numbers/conversion.js';
export { convertNumbers } from '../numbers/convert-numbers.js';
export type { Rounding } from '../numbers/rounding.js';
export { typedArray } from '../numbers/typed-array.js';
export { checkCopy } from '../plan/check-copy.js';
export { copyInSteps, type MoveBytes } from '../plan/copy-in-steps.js';
export { type EncodedPlan, encodePlan } from '../plan/encode-plan.js';
export { type CopyPlan, type CopyUnit, isContiguous, planCopy } from '../plan/plan-copy.js';
export { namedOwner } from '../protocols/written.js';
export { describeSource } from './access/describe-source.js';
export { importSeen } from './access/import-seen.js';
export { settle } from './access/settle.js';
export { beforeExit } from './addon/before-exit.js';
export {
  type AddonPlaces,
  backendUnavailable,
  cLibrary,
  type LazyAddon,
  type LoadedAddon,
  lazyAddon,
  loadAddon,
  type NativeAddon,
  type Unavailable,
} from './addon/load-addon.js';
export { isElevated, type NodeRequire, whyUntrusted } from './addon/trusted-path.js';
export { BaseBackend } from './base-backend.js';
export type {
  DeviceAddon,
  EventHandle,
  KernelHandle,
  MappedBufferHandle,
  MemoryHandle,
  QueueHandle,
} from './device/addon.js';
export { DeviceBackend } from './device/backend.js';
export { defaultSync, follow, nativeOwner } from './device/borrow.js';
export { type DeviceCode, DeviceDriver } from './device/driver.js';
export { DeviceEvent } from './device/event.js';
export { DeviceMemory, type DeviceMemoryFacts } from './device/memory.js';
export { DeviceQueue } from './device/queue.js';
export { BackendArray } from './interface/array.js';
export {
  type ArrayCapsule,
  arrayCapsule,
  type CapsuleContents,
  type CapsuleFields,
  type CapsuleParts,
  type CapsuleRules,
  capsuleContents,
  capsuleFields,
  describeCapsule,
  ImportedCapsule,
} from './interface/capsule.js';
export type {
  Allocation,
  Availability,
  DeviceInfo,
  DeviceType,
  MemoryKind,
  PointerInfo,
} from './interface/device.js';
export type {
  Driver,
  GroupLimits,
  ImportedMemory,
  Launch,
  LaunchLimits,
  OwnOptions,
  Reach,
  Staging,
  Use,
} from './interface/driver.js';
export { insteadOfOwnArray } from './interface/instead-of-own-array.js';
export { internals, type MemoryInternals, type QueueInternals } from './interface/internals.js';
export { checkSync } from './interface/known-options.js';
export type { BufferMapping } from './interface/mapped-buffers.js';
export { assertWithin, type BackendIdentity, Memory, memoryOf } from './interface/memory.js';
export type { CopyProgress, Sync } from './interface/options.js';
export { type ArrayProxy, arrayProducer } from './interface/producer.js';
export { BackendQueue, notAnEvent, type QueueEvent, readSignal } from './interface/queue.js';
export { type ReadCode, readBytes, readCode } from './launch/kernel-code.js';
export type { PreparedLaunch } from './launch/prepared-launch.js';
export { type ByteRange, LastAccesses } from './order/last-accesses.js';
export {
  endedTicket,
  type Held,
  type OpenedTicket,
  SHARE_OPTIONS,
  type ShareOptions,
  type ThreadTicket,
  ThreadTickets,
  type TicketEnvironment,
  type TicketTable,
  ticketEnvironment,
} from './share/thread-ticket.js';
export {
  arrayOfTicket,
  assertUnmasked,
  FORGED,
  isHex,
  isSize,
  LAYOUT_FIELDS,
  leaseFields,
  openLayout,
  type SharedArray,
  type SharedLayout,
  type SharedTicket,
  sharedLayout,
  TicketForm,
  ticketError,
} from './share/ticket.js';
export {
  assertFresh,
  assertOtherProcess,
  OPEN_SHARED_OPTIONS,
  type OpenSharedOptions,
  type TicketFile,
  ticketFileError,
} from './share/ticket-file.js';
export { SynchronousBackend } from './synchronous/backend.js';
export { SynchronousDriver } from './synchronous/driver.js';
export { SynchronousMemory } from './synchronous/memory.js';
export { SynchronousQueue } from './synchronous/queue.js';
