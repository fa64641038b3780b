#include "arrays_out/sycl_order.hpp"

#include <memory>
#include <string>
#include <utility>

#include "arrays_out/dict_out.hpp"
#include "arrays_out/loaded_library.hpp"
#include "arrays_out/raise.hpp"
#include "arrays_out/shared_array.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/import_own.hpp"
#include "threads/job_thread.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

#define ARRAY_INTERFACE_DPCTL_FUNCTIONS(X)                             \
  X(void*, Queue_Copy, (void*))                                        \
  X(void, Queue_Delete, (void*))                                       \
  X(void, Queue_Wait, (void*))                                         \
  X(bool, Queue_AreEq, (void*, void*))                                 \
  X(void*, Queue_SubmitBarrier, (void*))                               \
  X(void*, Queue_SubmitBarrierForEvents, (void*, void**, std::size_t)) \
  X(void*, Context_Copy, (void*))                                      \
  X(void, Context_Delete, (void*))                                     \
  X(void, Event_WaitAndThrow, (void*))                                 \
  X(void, Event_Delete, (void*))

/// The functions of the dpctl that this process has loaded.
struct Dpctl {
  void* library = FindLoaded("libDPCTLSyclInterface.so");
#define ARRAY_INTERFACE_FIND(Result, name, parameters) \
  Result(*name) parameters = FindSymbol<Result(*) parameters>(library, "DPCTL" #name);
  ARRAY_INTERFACE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_FIND)
#undef ARRAY_INTERFACE_FIND
};

/// Looked up once an array has SYCL work, since its maker has then loaded dpctl.
const Dpctl& Runtime() {
  static const Dpctl dpctl;
  if (dpctl.library != nullptr) return dpctl;
  throw Refusal(
      "expected libDPCTLSyclInterface.so in this process, got none; create arrays with dpctl");
}

/// Calls a function of dpctl. Some let the runtime's exceptions out; others swallow them and return
/// null.
template <class Call>
auto Try(const char* name, Call&& call) {
  try {
    return call();
  } catch (const std::exception& error) {
    throw Refusal(std::string("expected DPCTL") + name + " to succeed, got: " + error.what());
  }
}

void* Made(const char* name, void* reference) {
  if (reference != nullptr) return reference;
  throw Refusal(std::string("expected DPCTL") + name + " to return a reference, got null");
}

/// Deletes a reference of dpctl's. There is no caller left to report a failure to.
template <void (*Dpctl::*Delete)(void*)>
struct Deleter {
  void operator()(void* reference) const noexcept {
    try {
      (Runtime().*Delete)(reference);
    } catch (...) {
    }
  }
};
using Queue = std::unique_ptr<void, Deleter<&Dpctl::Queue_Delete>>;
using Context = std::unique_ptr<void, Deleter<&Dpctl::Context_Delete>>;
using Event = std::unique_ptr<void, Deleter<&Dpctl::Event_Delete>>;

Queue CopyOf(void* queue) {
  return Queue(Made("Queue_Copy", Try("Queue_Copy", [&] { return Runtime().Queue_Copy(queue); })));
}

/// Deletes a capsule's contents, whatever its consumer renamed it to.
template <class Owner>
void EndContents(PyObject* capsule) {
  const Owner contents(Py().PyCapsule_GetPointer(capsule, Py().PyCapsule_GetName(capsule)));
}

/// A capsule that takes over a reference. Null, with a Python exception set, if there is no memory.
template <class Owner>
Reference CapsuleOf(Owner contents, const char* name) {
  auto capsule = Reference::Take(Py().PyCapsule_New(contents.get(), name, EndContents<Owner>));
  if (capsule) static_cast<void>(contents.release());
  return capsule;
}

/// dpctl's class of queues. Null, with an exception pending, if there is none.
Reference QueueClass() {
  const auto module = ImportOwn("dpctl");
  if (!module) return {};
  return Reference::Take(Py().PyObject_GetAttrString(module.get(), "SyclQueue"));
}

/// Checks the object's real type, since `__class__` may be anything.
bool IsQueue(PyObject* object, PyObject* queue_class) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  return HasFlag(queue_class, kTypeFlag) && Py().PyType_IsSubtype(type.get(), queue_class) != 0;
}

/// The reference inside a SyclQueue of dpctl. Calls the base class's method, since what another
/// object or a subclass returns need not be a queue's address.
void* ReferenceIn(PyObject* queue) {
  const auto queue_class = QueueClass();
  Py().PyErr_Clear();
  if (!queue_class || !IsQueue(queue, queue_class.get())) {
    throw Refusal("expected None or a dpctl.SyclQueue as stream, got an object of the class " +
                  ClassName(queue) + "; pass the queue itself");
  }
  const auto address =
      Must(Py().PyObject_CallMethod(queue_class.get(), "addressof_ref", "(O)", queue));
  const auto pointer = Py().PyLong_AsUnsignedLongLong(address.get());
  if (Py().PyErr_Occurred() != nullptr) throw PendingInPython();
  return reinterpret_cast<void*>(pointer);
}

void WaitForEvents(void* queue, void* event) {
  const Event barrier(Try("Queue_SubmitBarrierForEvents", [&] {
    return Runtime().Queue_SubmitBarrierForEvents(queue, &event, 1);
  }));
  Made("Queue_SubmitBarrierForEvents", barrier.get());
}

void WaitForOrder(void* queue, const ai_array& array) {
  if (array.order_kind == AI_READY) return;
  if (array.order_kind == AI_SYCL_EVENT) return WaitForEvents(queue, array.order);
  const Event mark(
      Try("Queue_SubmitBarrier", [&] { return Runtime().Queue_SubmitBarrier(array.order); }));
  WaitForEvents(queue, Made("Queue_SubmitBarrier", mark.get()));
}

/// If the wait fails, the device has failed, and nothing runs on it any more.
void AwaitAndRelease(ai_array* array, const std::vector<void*>& queues) noexcept {
  for (void* const reference : queues) {
    const Queue queue(reference);
    try {
      Runtime().Queue_Wait(reference);
    } catch (...) {
    }
  }
  array->release(array);
}

/// A thread that waits for readers' work, so that the thread that drops an array does not have to:
/// it may hold Python's lock, which dpctl's work may need in order to end. Never destroyed: it
/// works until the process ends.
JobThread& Patient() {
  static auto& thread = *new JobThread;
  return thread;
}

}  // namespace

Reference SyclObjectOf(const ai_array& array) {
  if (array.order_kind == AI_SYCL_QUEUE) return CapsuleOf(CopyOf(array.order), "SyclQueueRef");
  if (array.context == nullptr)
    throw Refusal(
        "expected a queue or a context of the array, got none; have its producer name one");
  {
    const Detached detached;
    BlockOnSycl(array);
  }
  Context copy(Made("Context_Copy", Runtime().Context_Copy(array.context)));
  return CapsuleOf(std::move(copy), "SyclContextRef");
}

void OrderOnSycl(const SharedArray& array, PyObject* queue) {
  Queue copy = CopyOf(ReferenceIn(queue));
  {
    const Detached detached;  // the runtime may wait for its own work
    WaitForOrder(copy.get(), array.array());
  }
  if (!array.NoteQueue(copy.get(), Runtime().Queue_AreEq)) return;
  [[maybe_unused]] const void* const noted = copy.release();
}

void BlockOnSycl(const ai_array& array) {
  if (array.order_kind == AI_SYCL_QUEUE)
    Try("Queue_Wait", [&] { Runtime().Queue_Wait(array.order); });
  if (array.order_kind == AI_SYCL_EVENT)
    Try("Event_WaitAndThrow", [&] { Runtime().Event_WaitAndThrow(array.order); });
}

void EndOnSycl(ai_array* array, const std::vector<void*>& queues) noexcept {
  if (array->consumed == nullptr) {
    if (queues.empty()) return array->release(array);
    try {
      return Patient().Post([array, queues] { AwaitAndRelease(array, queues); });
    } catch (...) {  // no thread can be started
      return AwaitAndRelease(array, queues);
    }
  }
  for (void* const reference : queues) {
    const Queue queue(reference);
    try {
      array->consumed(array, AI_SYCL_QUEUE, reference);
    } catch (...) {  // there is no caller left to report it to
    }
  }
  array->release(array);
}

}  // namespace array_interface
