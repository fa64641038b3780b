#include "arrays_out/dlpack_out.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "arrays/capsule_names.hpp"
#include "arrays_out/away.hpp"
#include "arrays_out/cuda_order.hpp"
#include "arrays_out/dict_out.hpp"
#include "arrays_out/packed_copy.hpp"
#include "arrays_out/raise.hpp"
#include "arrays_out/sycl_order.hpp"
#include "interpreter/entry.hpp"
#include "values/kind.hpp"
#include "values/text.hpp"

namespace array_interface {

namespace {

/// The consumer's request. Null for an argument that is absent or None.
struct Asked {
  Reference keywords;  ///< this function's own copy, which the others are borrowed from
  PyObject* stream = nullptr;
  PyObject* max_version = nullptr;
  PyObject* device = nullptr;
  PyObject* copy = nullptr;
};

[[noreturn]] void RaiseTypeError(const std::string& message) {
  Py().PyErr_SetString(*Py().PyExc_TypeError, message.c_str());
  throw PendingInPython();
}

/// The first keyword that `__dlpack__` does not have.
std::string UnknownIn(PyObject* keywords) {
  constexpr std::array<std::string_view, 4> known{"stream", "max_version", "dl_device", "copy"};
  Py_ssize_t place = 0;
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  while (Py().PyDict_Next(keywords, &place, &key, &value) != 0) {
    const auto name = Utf8In(key);
    if (!name) return "a name of the class " + ClassName(key);
    if (std::find(known.begin(), known.end(), *name) == known.end()) return std::string(*name);
  }
  return "another one";
}

Asked ReadKeywords(PyObject* arguments, PyObject* keywords) {
  if (Py().PyTuple_Size(arguments) != 0)
    RaiseTypeError("expected keyword arguments only, got a positional one");
  Asked asked;
  if (keywords == nullptr) return asked;
  // Copied, since it may be the caller's own dict, and code may change that meanwhile: `copy` has a
  // `__bool__`.
  asked.keywords = Must(Py().PyDict_Copy(keywords));
  Py_ssize_t known = 0;
  const auto take = [&](const char* name) -> PyObject* {
    PyObject* const value = Py().PyDict_GetItemString(asked.keywords.get(), name);
    if (value != nullptr) ++known;
    return value == Py().None ? nullptr : value;
  };
  asked.stream = take("stream");
  asked.max_version = take("max_version");
  asked.device = take("dl_device");
  asked.copy = take("copy");
  if (known != Py().PyObject_Size(asked.keywords.get()))
    RaiseTypeError("expected stream, max_version, dl_device or copy, got " +
                   UnknownIn(asked.keywords.get()));
  return asked;
}

std::int64_t ReadInteger(PyObject* value) {
  int overflow = 0;
  const long long integer = Py().PyLong_AsLongLongAndOverflow(value, &overflow);
  if (Py().PyErr_Occurred() != nullptr) throw PendingInPython();
  if (overflow != 0) throw Refusal("expected an integer of 64 bits, got a larger one");
  return integer;
}

struct Pair {
  std::int64_t first, second;
};

Pair ReadPair(PyObject* value, const char* name) {
  if (Py().PyTuple_Size(value) != 2) {
    Py().PyErr_Clear();
    RaiseTypeError(std::string("expected a tuple of two integers as ") + name +
                   ", got an object of the class " + ClassName(value));
  }
  return {ReadInteger(Py().PyTuple_GetItem(value, 0)), ReadInteger(Py().PyTuple_GetItem(value, 1))};
}

void CheckElements(const SharedArray& array) {
  if (!array.has_code()) {
    throw Refusal("expected elements that DLPack has a code for, got '" + array.typestr() +
                  "'; cast it, or view it as bytes");
  }
  if (array.has_bytes()) {
    throw Refusal(
        "expected elements that are a whole number of elements apart, got others; copy the array "
        "first, or use its interface");
  }
}

void CheckDevice(const SharedArray& array, PyObject* asked) {
  if (asked == nullptr) return;
  const Pair device = ReadPair(asked, "dl_device");
  const DLDevice ours = array.tensor().device;
  if (device.first == ours.device_type && device.second == ours.device_id) return;
  throw Refusal("expected the array's own device, got (" + std::to_string(device.first) + ", " +
                std::to_string(device.second) + "); copy it in JavaScript");
}

bool ReadCopy(const SharedArray& array, PyObject* copy) {
  const int is_asked = copy == nullptr ? 0 : Py().PyObject_IsTrue(copy);
  if (is_asked < 0) throw PendingInPython();
  if (is_asked == 0 || array.place() == ArrayPlace::kHost) return is_asked != 0;
  throw Refusal("expected a request without a copy, got copy=True; copy it in JavaScript");
}

/// Applies DLPack's rules for CUDA: None is the legacy default stream, 1 and 2 are the default
/// streams. -1 means that the consumer synchronizes by itself, and its stream is unknown.
void OrderForStream(const SharedArray& array, PyObject* asked) {
  if (asked == nullptr && array.tensor().device.device_type != kDLCUDA) {
    const Detached detached;  // the reader is this process's own code
    return BlockOnCuda(array.array());
  }
  const std::int64_t stream = asked == nullptr ? kLegacyStream : ReadInteger(asked);
  if (stream == -1) return array.NoteStranger();
  if (stream <= 0) {
    throw Refusal("expected 1, 2 or a stream's handle, got " + std::to_string(stream) +
                  "; pass 1 for the legacy default stream, 2 for the per-thread one");
  }
  if (stream > 2) array.NoteStranger();
  OrderOnCuda(array.array(), static_cast<std::uint64_t>(stream));
}

/// True for -1, with which a DLPack consumer says that it synchronizes by itself.
bool IsMinusOne(PyObject* stream) { return HasFlag(stream, kIntFlag) && ReadInteger(stream) == -1; }

/// `asked` is None, a SyclQueue of dpctl, or -1.
void OrderForQueue(const SharedArray& array, PyObject* asked) {
  if (asked == nullptr) {
    const Detached detached;  // the consumer's queue is unknown
    return BlockOnSycl(array.array());
  }
  if (!IsMinusOne(asked)) OrderOnSycl(array, asked);
}

void OrderFor(const SharedArray& array, PyObject* stream) {
  switch (array.place()) {
    case ArrayPlace::kHost:
      if (stream == nullptr) return;
      throw Refusal("expected no stream for host memory, got one; leave it out");
    case ArrayPlace::kCuda:
      return OrderForStream(array, stream);
    case ArrayPlace::kSycl:
      return OrderForQueue(array, stream);
  }
}

/// A tensor for a consumer, with everything that it points to.
template <class Managed>
struct Exported {
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): whoever makes it fills it in
  Managed managed{};
  std::shared_ptr<SharedArray> array;
  PackedCopy copy;

  static void Delete(Managed* managed) { delete static_cast<Exported*>(managed->manager_ctx); }
};

/// Ends a capsule that was not consumed; a consumer renames it.
template <class Managed>
void EndCapsule(PyObject* capsule) {
  constexpr const char* name = CapsuleNames<Managed>::kFresh;
  if (Py().PyCapsule_IsValid(capsule, name) == 0) return;
  auto* const managed = static_cast<Managed*>(Py().PyCapsule_GetPointer(capsule, name));
  const Away away(static_cast<Exported<Managed>*>(managed->manager_ctx)->array->place());
  managed->deleter(managed);
}

DLTensor PlainTensorOf(const SharedArray& array) {
  DLTensor tensor = array.tensor();
  tensor.data = reinterpret_cast<void*>(array.pointer());
  tensor.byte_offset = 0;
  tensor.shape = const_cast<std::int64_t*>(array.shape().data());
  tensor.strides = const_cast<std::int64_t*>(array.element_strides().data());
  return tensor;
}

template <class Managed>
std::unique_ptr<Exported<Managed>> Export(const std::shared_ptr<SharedArray>& array, bool copies) {
  auto exported = std::make_unique<Exported<Managed>>();
  exported->array = array;
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = Exported<Managed>::Delete;
  auto& tensor = exported->managed.dl_tensor;
  tensor = PlainTensorOf(*array);
  if (!copies) return exported;
  exported->copy = PackedCopy(*array);
  tensor.data = exported->copy.data();
  tensor.strides = exported->copy.element_strides();
  return exported;
}

template <class Managed>
Reference Wrap(std::unique_ptr<Exported<Managed>> exported) {
  auto capsule = Must(
      Py().PyCapsule_New(&exported->managed, CapsuleNames<Managed>::kFresh, EndCapsule<Managed>));
  static_cast<void>(exported.release());
  return capsule;
}

using Versioned = DLManagedTensorVersioned;

std::unique_ptr<Exported<Versioned>> ExportVersioned(const std::shared_ptr<SharedArray>& array,
                                                     bool copies) {
  auto exported = Export<Versioned>(array, copies);
  auto& managed = exported->managed;
  managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  if (array->read_only() && !copies) managed.flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  if (copies) managed.flags |= DLPACK_FLAG_BITMASK_IS_COPIED;
  if (array->is_padded()) managed.flags |= DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  return exported;
}

Reference Unversioned(const std::shared_ptr<SharedArray>& array, bool copies) {
  if (array->read_only() && !copies) {
    throw Refusal(
        "expected a consumer that supports read-only arrays, got one of DLPack before 1.0; "
        "pass max_version=(1, 0), or copy it");
  }
  return Wrap(Export<DLManagedTensor>(array, copies));
}

}  // namespace

Reference DLPackOf(const std::shared_ptr<SharedArray>& array, PyObject* arguments,
                   PyObject* keywords) {
  const Asked asked = ReadKeywords(arguments, keywords);
  CheckElements(*array);
  CheckDevice(*array, asked.device);
  const bool copies = ReadCopy(*array, asked.copy);
  const bool is_new =
      asked.max_version != nullptr && ReadPair(asked.max_version, "max_version").first >= 1;
  auto capsule = is_new ? Wrap(ExportVersioned(array, copies)) : Unversioned(array, copies);
  OrderFor(*array, asked.stream);
  return capsule;
}

DLManagedTensorVersioned* ExportTensor(const std::shared_ptr<SharedArray>& array) {
  CheckElements(*array);
  auto exported = ExportVersioned(array, false);
  OrderFor(*array, nullptr);
  return &exported.release()->managed;
}

DLTensor TensorOf(const SharedArray& array) {
  CheckElements(array);
  if (array.read_only() || array.is_padded()) {
    throw Refusal(
        "expected a writable array of whole elements, since a bare tensor has no flags, got a "
        "read-only or padded one; call managed_tensor_from_py_object_no_sync");
  }
  OrderFor(array, nullptr);
  return PlainTensorOf(array);
}

Reference DLPackDeviceOf(const SharedArray& array) {
  const DLDevice device = array.tensor().device;
  return TupleOf({device.device_type, device.device_id});
}

}  // namespace array_interface
