#include "arrays_in/produced.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "arrays_in/arrow_in.hpp"
#include "arrays_in/buffer_in.hpp"
#include "arrays_in/dict_in.hpp"
#include "arrays_in/dlpack_in.hpp"
#include "arrays_in/exchange_in.hpp"
#include "arrays_in/no_array.hpp"
#include "arrays_in/numpy_mask.hpp"
#include "arrays_in/plain_dict.hpp"
#include "arrays_in/sycl_place.hpp"
#include "interpreter/entry.hpp"
#include "interpreter/interpreter.hpp"
#include "napi/argument.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "objects/vectorcall.hpp"
#include "objects/wrapped.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

PyObject* NameOf(Protocol protocol) {
  return TheNames().attributes[static_cast<std::size_t>(protocol)];
}

/// Looks up attributes of one object. An attribute that raises AttributeError is absent. So is one
/// that raises another Exception, since libraries report arrays on other devices that way (PyTorch:
/// TypeError, RuntimeError). The first such exception is kept, in case nothing else is found.
class Search {
 public:
  Search(Napi::Env env, PyObject* object) : env_(env), object_(object) {}

  /// Null if it is absent, or None.
  Reference Find(PyObject* name) { return FindOn(object_, name); }

  /// The array by the C functions of DLPack that the object's class has. Null if it has none of
  /// version 1, if they raise an exception, and for oneAPI memory.
  std::unique_ptr<HeldArray> FindExchange() {
    // What an object lacks, its class lacks too. Before 3.12 only the object's is quick to look up.
    if (!Find(TheNames().exchange)) return nullptr;
    const auto type = Reference::Take(Py().PyObject_Type(object_));
    const auto attribute = FindOn(type.get(), TheNames().exchange);
    const Exchange exchange = ExchangeIn(env_, attribute.get());
    other_version_ = exchange.other_version;
    if (exchange.table == nullptr) return nullptr;
    auto array = FromExchange(env_, object_, *exchange.table);
    if (array == nullptr && Py().PyErr_Occurred() != nullptr) Note();
    return array;
  }

  /// Returns a copy of an attribute whose value is a dict. Throws what copying raises.
  Reference FindDict(PyObject* name) {
    auto value = Find(name);
    return value ? Checked(env_, OwnCopy(std::move(value))) : std::move(value);
  }

  [[noreturn]] void Refuse() {
    if (other_version_) RefuseVersion(env_, *other_version_);
    if (exception_[0]) {
      Py().PyErr_Restore(exception_[0].Give(), exception_[1].Give(), exception_[2].Give());
      ThrowPending(env_);
    }
    Throw(env_, {"ERR_NO_INTERFACE", "",
                 "expected a Python object with __array_interface__, __cuda_array_interface__, "
                 "__sycl_usm_array_interface__, __dlpack__, the buffer protocol or "
                 "__arrow_c_array__, got one of type " +
                     TypeName() + "; " + WayToArray(object_),
                 "", 0, ""});
  }

 private:
  Reference FindOn(PyObject* object, PyObject* name) {
    auto value = Look(object, name);
    if (value && value.get() == Py().None) return {};
    if (!value) Note();
    return value;
  }

  /// Uses Python's own getattr with a default, which makes no exception for an absent attribute.
  /// Making one would take five times as long as the lookup.
  static Reference Look(PyObject* object, PyObject* name) {
    if (Py().PyObject_Vectorcall == nullptr)
      return Reference::Take(Py().PyObject_GetAttr(object, name));
    const std::array<PyObject*, 3> arguments{object, name, Py().None};
    return CallWith(ThePython()->get_attribute, arguments.data(), arguments.size());
  }

  void Note() {
    if (Py().PyErr_ExceptionMatches(*Py().PyExc_Exception) == 0) ThrowPending(env_);
    if (exception_[0] || Py().PyErr_ExceptionMatches(*Py().PyExc_AttributeError) != 0) {
      Py().PyErr_Clear();
      return;
    }
    PyObject* parts[3] = {};
    Py().PyErr_Fetch(&parts[0], &parts[1], &parts[2]);
    for (std::size_t i = 0; i < 3; ++i) exception_[i] = Reference::Take(parts[i]);
  }

  std::string TypeName() const {
    const auto type = Reference::Take(Py().PyObject_Type(object_));
    const std::string module = TextAttribute(type.get(), "__module__");
    const std::string name = TextAttribute(type.get(), "__qualname__");
    return module == "builtins" ? name : module + "." + name;
  }

  Napi::Env env_;
  PyObject* object_;
  std::array<Reference, 3> exception_;
  std::optional<DLPackVersion> other_version_;
};

constexpr DLDevice kHostDevice{kDLCPU, 0};

/// What keeps memory that a dict names: its object, the dict, and perhaps one more. The dict may
/// keep what the object does not, as that of NumPy's scalars does.
Reference OwnersOf(Napi::Env env, PyObject* object, PyObject* dict, PyObject* more = nullptr) {
  return Checked(env, Py().PyTuple_Pack(more == nullptr ? 2 : 3, object, dict, more));
}

/// An array in USM, with its queue or context. Null if the dict needs core to read it. Only a
/// dict's read-only flag can be overridden, so a dict with the flag set needs core too.
std::unique_ptr<HeldArray> HoldUsm(Napi::Env env, PyObject* object, PyObject* dict, Layout layout) {
  if (layout.is_read_only) return nullptr;
  SyclPlace place = PlaceIn(env, dict);
  if (!place.capsule) return nullptr;
  auto array = HoldArray(std::move(layout), {kDLOneAPI, 0},
                         OwnersOf(env, object, dict, place.capsule.get()));
  if (place.name == "SyclQueueRef") {
    array->order_kind = AI_SYCL_QUEUE;
    array->order = place.pointer;
  } else {
    array->context = place.pointer;
  }
  return array;
}

/// An array for the capsule that the protocol's backend reads. Null if a capsule cannot express all
/// of the dict. Unlike an object with the dict, it releases the Python object as soon as the array
/// ends.
std::unique_ptr<HeldArray> HoldPlain(Napi::Env env, PyObject* object, PyObject* dict,
                                     Protocol protocol) {
  auto plain = ReadPlainDict(dict, protocol);
  if (!plain || !plain->layout.CountsElements()) return nullptr;
  if (protocol == Protocol::kSycl) return HoldUsm(env, object, dict, std::move(plain->layout));
  const bool is_cuda = protocol == Protocol::kCuda;
  const DLDevice device = is_cuda ? DLDevice{kDLCUDA, 0} : kHostDevice;
  auto array = HoldArray(std::move(plain->layout), device, OwnersOf(env, object, dict));
  if (!is_cuda) return array;
  array->order_kind = AI_CUDA_STREAM;
  array->order = reinterpret_cast<void*>(plain->stream);
  return array;
}

/// The same for an array of NumPy's own class. Null for another object, and for an array whose dict
/// tells more.
std::unique_ptr<HeldArray> HoldNumPy(PyObject* object) {
  auto layout = LayoutOfNumPy(object);
  if (!layout || !layout->CountsElements()) return nullptr;
  return HoldArray(*std::move(layout), kHostDevice, Reference::Share(object));
}

bool HasBuffer(PyObject* object) { return Py().PyObject_CheckBuffer(object) != 0; }

/// Exports a buffer's array. Uses its dict if a capsule cannot express its strides.
Napi::Value ProduceBuffer(Napi::Env env, PyObject* object) {
  auto buffer = BufferOf(env, object);
  if (!buffer.layout.CountsElements())
    return ProducedOnHost(env, buffer.layout, std::move(buffer.view));
  return LendCapsule(env, HoldArray(std::move(buffer.layout), kHostDevice, std::move(buffer.view)));
}

/// Exports an array by DLPack. If its library refuses that, as PyArrow does for nulls, by Arrow's
/// structs.
Napi::Value ProduceTensor(Napi::Env env, PyObject* object) {
  try {
    return LendCapsule(env, FromDLPack(env, object));
  } catch (const Napi::Error&) {
    const Napi::Value column = ProduceColumn(env, object);
    if (column.IsEmpty()) throw;
    return column;
  }
}

Napi::Value ProduceFor(Napi::Env env, PyObject* object, Protocol wanted) {
  auto numbers = wanted == Protocol::kHost ? HoldNumPy(object) : nullptr;
  if (numbers != nullptr) return LendCapsule(env, std::move(numbers));
  Search search(env, object);
  if (auto array = search.FindExchange()) return LendCapsule(env, std::move(array));
  const std::array<Protocol, 4> order{wanted, Protocol::kCuda, Protocol::kSycl, Protocol::kHost};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Protocol protocol = order[i];
    if (i > 0 && protocol == wanted) continue;
    const auto dict = search.FindDict(NameOf(protocol));
    if (!dict) continue;
    if (protocol == Protocol::kHost) AddMaskOfNumpy(env, object, dict.get());
    auto held = protocol == wanted ? HoldPlain(env, object, dict.get(), protocol) : nullptr;
    if (held != nullptr) return LendCapsule(env, std::move(held));
    return Produced(env, object, dict.get(), protocol);
  }
  if (search.Find(TheNames().dlpack)) return ProduceTensor(env, object);
  if (HasBuffer(object)) return ProduceBuffer(env, object);
  const Napi::Value column = ProduceColumn(env, object);
  if (!column.IsEmpty()) return column;
  const auto array = ArrayInPlace(object);
  if (!array) search.Refuse();
  return ProduceFor(env, array.get(), wanted);
}

/// Throws ERR_MASK if a dict has a mask, which a capsule has no place for.
void RefuseMask(Napi::Env env, PyObject* dict) {
  if (!HasFlag(dict, kDictFlag) || EntryOf(dict, TheNames().mask) == nullptr) return;
  Throw(env, {"ERR_MASK", "mask",
              "expected an array without a mask, got one with a mask, which no capsule has; fill "
              "its masked elements first",
              "", 0, ""});
}

/// The array for an addon's capsule.
std::unique_ptr<HeldArray> ArrayOf(Napi::Env env, PyObject* object) {
  if (auto numbers = HoldNumPy(object)) return numbers;
  Search search(env, object);
  if (auto array = search.FindExchange()) return array;
  for (const Protocol protocol : kProtocols) {
    const auto dict = search.FindDict(NameOf(protocol));
    if (!dict) continue;
    if (protocol == Protocol::kHost) AddMaskOfNumpy(env, object, dict.get());
    RefuseMask(env, dict.get());
    auto held = HoldPlain(env, object, dict.get(), protocol);
    if (held != nullptr) return held;
  }
  if (search.Find(TheNames().dlpack)) return FromDLPack(env, object);
  if (!HasBuffer(object)) {
    const auto array = ArrayInPlace(object);
    if (!array) search.Refuse();
    return ArrayOf(env, array.get());
  }
  auto buffer = BufferOf(env, object);
  if (!buffer.layout.CountsElements()) search.Refuse();
  return HoldArray(std::move(buffer.layout), kHostDevice, std::move(buffer.view));
}

Napi::Value CapsuleOf(Napi::Env env, PyObject* object) {
  auto array = ArrayOf(env, object);
  if (IsPossible(*array)) return GiveCapsule(env, std::move(array));
  // Releases both references that a consumer would: the array's, and that of the tensor in it.
  HeldArray* const held = array.release();
  held->release(held);
  Throw(env, {"ERR_OVERFLOW", "",
              "expected non-negative lengths, and elements at addresses within 1 .. 2^64 - 1, got "
              "others; check what its library exports",
              "", 0, ""});
}

Protocol ReadProtocol(const Napi::Value& value) {
  const auto number = ReadInteger(value, "protocol");
  if (number == 0) return Protocol::kCuda;
  return number == 1 ? Protocol::kSycl : Protocol::kHost;
}

/// produce(object, protocol): returns what the protocol's backend (0 CUDA, 1 SYCL, otherwise the
/// host) reads in place of a PyObject: an object with a dict, or a capsule.
Napi::Value Produce(const Napi::CallbackInfo& info) {
  const Protocol wanted = ReadProtocol(info[1]);
  const EnteredObject object(info[0], "object");
  return ProduceFor(info.Env(), object.get(), wanted);
}

/// capsule(object): returns a capsule of a PyObject's array.
Napi::Value MakeCapsule(const Napi::CallbackInfo& info) {
  const EnteredObject object(info[0], "object");
  return CapsuleOf(info.Env(), object.get());
}

}  // namespace

void ExportProduced(Napi::Object exports) {
  AddExports(exports, {{"produce", kFunction<Produce>},
                       {"capsule", kFunction<MakeCapsule>},
                       {"readMemory", kFunction<ReadMemory>},
                       {"syclCapsule", kFunction<SyclCapsule>}});
}

}  // namespace array_interface
