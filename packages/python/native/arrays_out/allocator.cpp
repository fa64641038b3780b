#include "arrays_out/allocator.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "arrays/dense_strides.hpp"
#include "arrays_out/aligned_bytes.hpp"
#include "arrays_out/raise.hpp"

namespace array_interface {

namespace {

constexpr std::int32_t kMostAxes = 64;

/// A tensor with everything that it points to.
struct Allocated {
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): Allocate fills it in
  DLManagedTensorVersioned managed{};
  std::vector<std::int64_t> shape, strides;
  AlignedBytes bytes;

  static void Delete(DLManagedTensorVersioned* managed) {
    delete static_cast<Allocated*>(managed->manager_ctx);
  }
};

std::vector<std::int64_t> ShapeOf(const DLTensor& prototype) {
  const std::int32_t rank = prototype.ndim;
  if (rank < 0 || rank > kMostAxes || (rank > 0 && prototype.shape == nullptr)) {
    throw Refusal("expected a prototype with a shape of 0 to 64 axes, got " +
                  (rank > 0 && rank <= kMostAxes ? "none" : std::to_string(rank) + " axes") +
                  "; set shape and ndim");
  }
  return {prototype.shape, prototype.shape + rank};
}

std::size_t BytesOf(const DLDataType& dtype, const std::vector<std::int64_t>& shape) {
  const std::int64_t bits = std::int64_t{dtype.bits} * dtype.lanes;
  if (bits == 0 || bits % 8 != 0) {
    throw Refusal("expected elements of whole bytes, got " + std::to_string(bits) +
                  " bits; choose another dtype");
  }
  std::int64_t bytes = bits / 8;
  bool is_empty = false;
  bool fits = true;
  for (const std::int64_t length : shape) {
    if (length < 0) {
      throw Refusal("expected lengths of 0 or more, got " + std::to_string(length) +
                    "; set the prototype's shape");
    }
    is_empty = is_empty || length == 0;
    fits = !__builtin_mul_overflow(bytes, length, &bytes) && fits;
  }
  if (is_empty) return 0;
  if (!fits) throw Refusal("expected less than 2^63 bytes, got more; choose a smaller shape");
  return static_cast<std::size_t>(bytes);
}

DLManagedTensorVersioned* Allocate(const DLTensor& prototype) {
  if (prototype.device.device_type != kDLCPU) {
    throw Refusal("expected a device of type 1, host memory, got type " +
                  std::to_string(prototype.device.device_type) +
                  "; allocate memory of devices in JavaScript");
  }
  auto made = std::make_unique<Allocated>();
  made->shape = ShapeOf(prototype);
  made->bytes = AllocateAligned(BytesOf(prototype.dtype, made->shape));
  made->strides = DenseStrides(made->shape);
  auto& managed = made->managed;
  managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed.manager_ctx = made.get();
  managed.deleter = Allocated::Delete;
  auto& tensor = managed.dl_tensor;
  tensor.data = made->bytes.get();
  tensor.device = {kDLCPU, 0};
  tensor.ndim = prototype.ndim;
  tensor.dtype = prototype.dtype;
  tensor.shape = made->shape.data();
  tensor.strides = made->strides.data();
  return &made.release()->managed;
}

}  // namespace

int AllocateTensor(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_context,
                   void (*set_error)(void* context, const char* kind, const char* message)) {
  const auto refuse = [&](const char* kind, const char* message) {
    if (set_error != nullptr) set_error(error_context, kind, message);
    return -1;
  };
  try {
    if (prototype == nullptr || out == nullptr)
      throw Refusal("expected a prototype and a place for the tensor, got NULL; pass both");
    *out = Allocate(*prototype);
    return 0;
  } catch (const std::bad_alloc&) {
    return refuse("MemoryError", "expected enough memory in this process, got none; free some");
  } catch (const std::exception& error) {
    return refuse("BufferError", error.what());
  }
}

}  // namespace array_interface
