#include "check_copy.hpp"

#include <cstdint>
#include <string>

namespace array_interface::sycl {

namespace {

/// The first and the last byte that one side of a copy accesses.
struct Touched {
  std::uintptr_t first;
  std::uintptr_t last;
};

Touched TouchedBy(const StridedCopy& copy, bool is_source) {
  const auto& strides = is_source ? copy.source_strides : copy.destination_strides;
  const void* const start = is_source ? copy.source : copy.destination;
  Touched touched{reinterpret_cast<std::uintptr_t>(start), 0};
  touched.last = touched.first + (is_source ? copy.source_unit() : copy.unit) - 1;
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    const std::int64_t reach = (copy.lengths[axis] - 1) * strides[axis];
    (reach < 0 ? touched.first : touched.last) += static_cast<std::uintptr_t>(reach);
  }
  return touched;
}

/// Checks that the memory exists. The range of this library's memory is known. For other memory the
/// runtime is queried whether an address belongs to the context.
void CheckThere(const ContextDevice& context_device, SyclMemory& memory, const Touched& touched,
                const char* path) {
  const Allocation* const allocation = memory.allocation();
  if (allocation != nullptr) {
    const std::uint64_t end = allocation->pointer() + allocation->size();
    const bool is_within = touched.first >= allocation->pointer() &&
                           touched.first <= touched.last && touched.last < end;
    if (is_within) return;
    throw SyclError("ERR_OUT_OF_BOUNDS", path,
                    "expected elements within the array's memory of " +
                        std::to_string(allocation->size()) + " bytes, got some outside");
  }
  for (const std::uintptr_t end : {touched.first, touched.last}) {
    if (context_device.TypeOf(reinterpret_cast<void*>(end)) != UsmType::kUnknown) continue;
    throw SyclError("ERR_POINTER_UNKNOWN", path,
                    "expected USM memory of the context of " + context_device.selector +
                        ", got another address; copy through an array of this backend");
  }
}

void CheckReached(const ContextDevice& context_device, const SyclMemory& memory, bool is_one_run,
                  const char* path) {
  const bool is_complete =
      memory.is_system()
          ? memory.context_device().get() == &context_device && context_device.ReachesSystem()
          : memory.context_device()->SharesContext(context_device);
  if (!is_complete) {
    throw SyclError("ERR_NOT_ACCESSIBLE", path,
                    "expected memory that the queue on " + context_device.selector +
                        " can access, got memory of another context; name a queue of its context");
  }
  const bool is_others_device =
      memory.type() == UsmType::kDevice && memory.context_device().get() != &context_device;
  if (is_one_run || !is_others_device) return;
  throw SyclError("ERR_NOT_ACCESSIBLE", path,
                  "expected memory that kernels on " + context_device.selector +
                      " can access, got memory of another device, which allows only contiguous "
                      "copies; name no queue");
}

void CheckSide(const ContextDevice& context_device, const StridedCopy& copy, SyclMemory& memory,
               bool is_source, bool is_one_run) {
  const char* const path = is_source ? "source" : "destination";
  CheckReached(context_device, memory, is_one_run, path);
  if (!memory.is_system()) CheckThere(context_device, memory, TouchedBy(copy, is_source), path);
}

}  // namespace

void CheckCopy(const ContextDevice& context_device, const StridedCopy& copy, SyclMemory& target,
               SyclMemory& origin) {
  validate(copy);
  if (unit_count(copy) == 0) return;
  const bool is_one_run = array_interface::is_one_run(copy);
  CheckSide(context_device, copy, target, false, is_one_run);
  CheckSide(context_device, copy, origin, true, is_one_run);
  if (is_one_run || context_device.RunsKernels()) return;
  throw SyclError("ERR_NOT_ACCESSIBLE", "",
                  "expected a contiguous copy of equal dtypes, the only kind that " +
                      context_device.selector +
                      " can do without SPIR-V kernels, got another; rearrange the elements in host "
                      "memory with @array-interface/host, and copy them as a whole");
}

}  // namespace array_interface::sycl
