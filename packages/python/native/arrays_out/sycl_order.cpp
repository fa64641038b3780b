#include "arrays_out/sycl_order.hpp"

#include <cstring>
#include <string>

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
#define ARRAY_INTERFACE_DECLARE(Result, name, parameters) Result(*name) parameters = nullptr;
  ARRAY_INTERFACE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_DECLARE)
#undef ARRAY_INTERFACE_DECLARE
};

const Dpctl* Load() {
  void* library = FindLoaded("libDPCTLSyclInterface.so");
  if (library == nullptr) return nullptr;
  auto dpctl = new Dpctl;
#define ARRAY_INTERFACE_FIND(Result, name, parameters) \
  dpctl->name = reinterpret_cast<decltype(dpctl->name)>(dlsym(library, "DPCTL" #name));
  ARRAY_INTERFACE_DPCTL_FUNCTIONS(ARRAY_INTERFACE_FIND)
#undef ARRAY_INTERFACE_FIND
  return dpctl;
}

/// Looked up once an array has SYCL work, since its maker has then loaded dpctl.
const Dpctl& Runtime() {
  static const Dpctl* const dpctl = Load();
  if (dpctl != nullptr) return *dpctl;
  throw Refusal(
      "expected libDPCTLSyclInterface.so in this process, got none; make arrays with dpctl");
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
  throw Refusal(std::string("expected DPCTL") + name + " to give a reference, got none");
}

void* CopyOf(void* queue) {
  return Made("Queue_Copy", Try("Queue_Copy", [&] { return Runtime().Queue_Copy(queue); }));
}

/// Calls `end` with a capsule's contents, whatever its consumer renamed it to.
template <class End>
void EndContents(PyObject* capsule, End&& end) {
  void* reference = Py().PyCapsule_GetPointer(capsule, Py().PyCapsule_GetName(capsule));
  try {
    if (reference != nullptr) end(reference);
  } catch (...) {  // there is no caller left to report it to
  }
}

void EndQueue(PyObject* capsule) {
  EndContents(capsule, [](void* queue) { Runtime().Queue_Delete(queue); });
}

void EndContext(PyObject* capsule) {
  EndContents(capsule, [](void* context) { Runtime().Context_Delete(context); });
}

Reference QueueCapsule(void* queue) {
  void* const copy = CopyOf(queue);
  auto capsule = Reference::Take(Py().PyCapsule_New(copy, "SyclQueueRef", EndQueue));
  if (!capsule) Runtime().Queue_Delete(copy);
  return capsule;
}

Reference ContextCapsule(void* context) {
  void* const copy = Made("Context_Copy", Runtime().Context_Copy(context));
  auto capsule = Reference::Take(Py().PyCapsule_New(copy, "SyclContextRef", EndContext));
  if (!capsule) Runtime().Context_Delete(copy);
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
  const auto ask = Reference::Take(Py().PyObject_GetAttrString(queue_class.get(), "addressof_ref"));
  if (!ask) throw PendingInPython();
  const auto only = Reference::Take(Py().PyTuple_New(1));
  if (!only) throw PendingInPython();
  Py().PyTuple_SetItem(only.get(), 0, Reference::Share(queue).Give());
  const auto address = Reference::Take(Py().PyObject_Call(ask.get(), only.get(), nullptr));
  if (!address) throw PendingInPython();
  const auto pointer = Py().PyLong_AsUnsignedLongLong(address.get());
  if (Py().PyErr_Occurred() != nullptr) throw PendingInPython();
  return reinterpret_cast<void*>(pointer);
}

/// An event that owns its reference.
class Event {
 public:
  explicit Event(void* reference) : reference_(reference) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() {
    if (reference_ != nullptr) dpctl_.Event_Delete(reference_);
  }
  void* reference() const { return reference_; }

 private:
  const Dpctl& dpctl_ = Runtime();  // found before; the lookup may throw
  void* reference_;
};

void WaitForEvents(void* queue, void* event) {
  const Event barrier(Try("Queue_SubmitBarrierForEvents", [&] {
    return Runtime().Queue_SubmitBarrierForEvents(queue, &event, 1);
  }));
  Made("Queue_SubmitBarrierForEvents", barrier.reference());
}

void WaitForOrder(void* queue, const ai_array& array) {
  if (array.order_kind == AI_READY) return;
  if (array.order_kind == AI_SYCL_EVENT) return WaitForEvents(queue, array.order);
  const Event mark(
      Try("Queue_SubmitBarrier", [&] { return Runtime().Queue_SubmitBarrier(array.order); }));
  WaitForEvents(queue, Made("Queue_SubmitBarrier", mark.reference()));
}

/// If the wait fails, the device has failed, and nothing runs on it any more.
void AwaitAndRelease(ai_array* array, const std::vector<void*>& queues) noexcept {
  for (void* const queue : queues) {
    try {
      Runtime().Queue_Wait(queue);
    } catch (...) {
    }
    try {
      Runtime().Queue_Delete(queue);
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
  if (array.order_kind == AI_SYCL_QUEUE) return QueueCapsule(array.order);
  if (array.context == nullptr)
    throw Refusal("expected a queue or a context of the array, got none; let its maker name one");
  {
    const Detached detached;
    BlockOnSycl(array);
  }
  return ContextCapsule(array.context);
}

void OrderOnSycl(const SharedArray& array, PyObject* queue) {
  void* const copy = CopyOf(ReferenceIn(queue));
  try {
    {
      const Detached detached;  // the runtime may wait for its own work
      WaitForOrder(copy, array.array());
    }
    if (!array.NoteQueue(copy, Runtime().Queue_AreEq)) Runtime().Queue_Delete(copy);
  } catch (...) {
    Runtime().Queue_Delete(copy);
    throw;
  }
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
  for (void* const queue : queues) {
    try {
      array->consumed(array, AI_SYCL_QUEUE, queue);
      Runtime().Queue_Delete(queue);
    } catch (...) {  // there is no caller left to report it to
    }
  }
  array->release(array);
}

}  // namespace array_interface
