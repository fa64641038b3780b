#pragma once

#include "device/allocate.hpp"
#include "device/borrow.hpp"
#include "device/capsule.hpp"
#include "device/event.hpp"
#include "device/kernel.hpp"
#include "device/memory.hpp"
#include "device/queue.hpp"
#include "device/staging.hpp"
#include "device/ticket.hpp"
#include "device/work.hpp"

namespace array_interface {

/// Adds what all backends with a device export: `DeviceAddon` and `TicketTable` of core, which
/// document the parameters and results, and `allocate` and `borrow`, whose results each backend
/// documents. `Backend` has the backend's classes, and static functions
/// for what differs:
///
/// - `kName`, its name in JavaScript; `Device`; `Memory`, a DeviceMemory made of
///   its `Parts`, which `parts()` returns for another reference; `Queue`, a WorkQueue;
///   `Event`; `Kernel`, a DeviceKernel; `AwaitedEvent`, the class of all events of its queues;
///   `Scope`, which is held while work is enqueued on a queue
/// - `FailureOf(exception)`, `KernelFailureOf(error)`
/// - `ReadDevice(value)`, where kernels and allocations belong; `AllocatorKeyOf(device)`;
///   `AssertRunsKernels(device)`; `Builder()`, its KernelBuilder; `ReleaseIdle(env)`
/// - `Request`, the memory that JavaScript requests, with `size` and `kind()`;
///   `ReadRequest(memoryKind, byteLength, alignment)`; `Allocate(device, request)`, null if the
///   driver has no memory; `OutOfMemory(device, request)`, whose message says where and what the
///   driver answered; `Own(env, allocation, device, request)`, the owner's reference
/// - `Find(device, pointer, …)`, the parts of a loan, if there is memory; `ObjectRefsOf(env)`
/// - `Record(queue, timing)`, an event
/// - `Copy(env, queue, plan or run, sides)`, `AssertReaches(queue, memory)`, `ReadShape(value)`
/// - `Notify(env, work, uses)`: undefined, or a promise that settles once other processes know of
///   the work
/// - `DeviceOf(memory)` and `NativeContextOf(memory)` of a capsule; `Use(queue)`, which counts a
///   use; `WaitForConsumer(queue, kind, order)`, `BlockUntilConsumed(queue, kind, order)`,
///   `EndsWork(exception)`; `CallDriver(call)` and `Drop(thing)`, for any thread
/// - `Poll(event)`, `NoteWait()`, `LastEvents(env)`
/// - `Describe(env, memory)`, `StagingOf(env, memory)`, `IsHostAccessible(memory, address, size)`
/// - `kOrderKind` of its queues in array_interface.h, `kCodePath` and `kFunctionPath` of user code
template <class Backend>
void BindDevice(Napi::Object exports) {
  BindDeviceAllocate<Backend>(exports);
  BindDeviceBorrow<Backend>(exports);
  BindDeviceCapsule<Backend>(exports);
  BindDeviceEvent<Backend>(exports);
  BindDeviceKernel<Backend>(exports);
  BindDeviceMemory<Backend>(exports);
  BindDeviceQueue<Backend>(exports);
  BindDeviceStaging<Backend>(exports);
  BindDeviceTicket<Backend>(exports);
  BindDeviceWork<Backend>(exports);
}

}  // namespace array_interface
