#include "arrays_out/exchange_out.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "arrays/exchange.hpp"
#include "arrays/taken_tensor.hpp"
#include "arrays_out/allocator.hpp"
#include "arrays_out/array_types.hpp"
#include "arrays_out/cuda_order.hpp"
#include "arrays_out/dlpack_out.hpp"
#include "arrays_out/raise.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

template <class T>
T& Place(T* out) {
  if (out != nullptr) return *out;
  throw Refusal("expected a place for the result, got NULL; pass the address of a variable");
}

const std::shared_ptr<SharedArray>& ArrayOf(void* object) {
  const auto* const array = object == nullptr ? nullptr : ArrayIn(static_cast<PyObject*>(object));
  if (array != nullptr) return *array;
  const std::string got =
      object == nullptr ? "NULL" : "one of the class " + ClassName(static_cast<PyObject*>(object));
  Py().PyErr_SetString(
      *Py().PyExc_TypeError,
      ("expected an object of a class with this table, got " + got + "; look up its own table")
          .c_str());
  throw PendingInPython();
}

bool IsCuda(std::int32_t device) {
  return device == kDLCUDA || device == kDLCUDAHost || device == kDLCUDAManaged;
}

void CheckDevice(std::int32_t type, std::int32_t number) {
  if (type != kDLCPU && !IsCuda(type)) {
    throw Refusal("expected a device of type 1, 2, 3 or 13, host or CUDA memory, got type " +
                  std::to_string(type) + "; use __dlpack__");
  }
  if (number < 0) {
    throw Refusal("expected a device number of 0 or more, got " + std::to_string(number) +
                  "; number devices as CUDA does");
  }
}

/// Releases the array if this throws.
std::shared_ptr<SharedArray> Share(ai_array* array) {
  try {
    return std::make_shared<SharedArray>(array, SharedArray::Words{});
  } catch (const std::bad_alloc&) {
    array->release(array);
    throw;
  } catch (const std::exception& error) {
    array->release(array);
    throw Refusal(error.what());
  }
}

/// The array of a tensor, which stays the caller's if this throws.
Reference Import(DLManagedTensorVersioned* tensor) {
  if (tensor == nullptr) throw Refusal("expected a tensor, got NULL; pass one");
  if (const auto fault = FaultIn(*tensor)) throw Refusal(fault->message);
  const DLDevice device = tensor->dl_tensor.device;
  CheckDevice(device.device_type, device.device_id);
  auto held = HoldTensor(tensor);
  if (held == nullptr) throw PendingInPython();
  if (IsCuda(device.device_type)) {
    held->order_kind = AI_CUDA_STREAM;
    held->order = reinterpret_cast<void*>(kLegacyStream);
  }
  const HeldArray& array = *held;
  auto object = MakeArrayObject(Share(held.release()));
  if (!object) throw PendingInPython();
  Own(array);
  return object;
}

// Other libraries call these, attached, by the table. They are C functions: nothing is thrown.
extern "C" {

int Export(void* object, DLManagedTensorVersioned** out) {
  return Answer<int>(-1, [&] {
    auto& place = Place(out);
    place = ExportTensor(ArrayOf(object));
    return 0;
  });
}

int Lend(void* object, DLTensor* out) {
  return Answer<int>(-1, [&] {
    auto& place = Place(out);
    place = TensorOf(*ArrayOf(object));
    return 0;
  });
}

int ImportObject(DLManagedTensorVersioned* tensor, void** out) {
  return Answer<int>(-1, [&] {
    auto& place = Place(out);
    place = Import(tensor).Give();
    return 0;
  });
}

int CurrentStream(DLDeviceType type, std::int32_t number, void** out) {
  return Answer<int>(-1, [&] {
    auto& place = Place(out);
    CheckDevice(type, number);
    place = IsCuda(type) ? reinterpret_cast<void*>(kLegacyStream) : nullptr;
    return 0;
  });
}

}  // extern "C"

}  // namespace

const DLPackExchangeAPI own_exchange{{{DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, nullptr},
                                     AllocateTensor,
                                     Export,
                                     ImportObject,
                                     Lend,
                                     CurrentStream};

Reference ExchangeCapsule() {
  auto* const table = const_cast<DLPackExchangeAPI*>(&own_exchange);  // consumers only read it
  return Reference::Take(Py().PyCapsule_New(table, AI_EXCHANGE_CAPSULE, nullptr));
}

}  // namespace array_interface
