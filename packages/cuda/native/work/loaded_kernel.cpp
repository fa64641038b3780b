#include "work/loaded_kernel.hpp"

#include <stdexcept>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

/// Bytes that the driver takes for each of core's type codes. Local memory is not a parameter.
constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 0};

std::size_t BytesOf(int type) { return CodeOf(type) == kStruct ? StructBytes(type) : kSizes[type]; }

}  // namespace

void LoadedKernel::Load() {
  module_->Load();
  const ContextScope scope(*module_->context());
  function_ = module_->Function(name_);
  CheckParameters();
  limits_ = FindLimits();
}

// If a launch exceeds the limits, the driver refuses it without a reason, or the context is lost.
LoadedKernel::Limits LoadedKernel::FindLimits() const {
  const auto of_device = [this](DeviceAttribute attribute) {
    int value = 0;
    Cuda().cuDeviceGetAttribute(&value, attribute, module_->context()->device());
    return value;
  };
  const auto of_function = [this](FunctionAttribute attribute) {
    int value = 0;
    Cuda().cuFuncGetAttribute(&value, attribute, function_);
    return value;
  };
  return {of_function(kMaximumThreads), of_device(kDeviceMaximumBlockX),
          of_device(kDeviceMaximumBlockY), of_device(kDeviceMaximumBlockZ),
          of_device(kDeviceMaximumShared) - of_function(kStaticShared)};
}

bool LoadedKernel::HasParameter(std::size_t index, std::size_t& size) const {
  std::size_t offset = 0;
  const auto& info = Cuda().cuFuncGetParamInfo;
  const Result result = info.Try(function_, index, &offset, &size);
  if (result != kSuccess && result != kInvalidValue) throw DriverError(result, info.name);
  return result == kSuccess;
}

// The driver reads as many bytes as the code declares, whatever was passed.
void LoadedKernel::CheckParameters() const {
  if (!Cuda().cuFuncGetParamInfo.IsBound()) return;
  std::size_t index = 0;
  for (const int type : types_) {
    const std::size_t expected = BytesOf(type);
    if (expected == 0) continue;
    std::size_t size = 0;
    const bool has_one = HasParameter(index, size);
    if (!has_one || size != expected) {
      throw std::runtime_error(
          "expected a function whose parameter " + std::to_string(index) + " has " +
          std::to_string(expected) + " bytes, got " +
          (has_one ? "one of " + std::to_string(size) + " bytes" : "fewer parameters") +
          "; define the parameters as the code has them");
    }
    ++index;
  }
  std::size_t size = 0;
  if (!HasParameter(index, size)) return;
  throw std::runtime_error("expected a function of " + std::to_string(index) +
                           " parameters, got one with more; define the parameters as the code has "
                           "them");
}

Enqueued LoadedKernel::Launch(const std::shared_ptr<Stream>& stream, const Shape& shape,
                              std::byte* values, Uses uses) {
  std::vector<void*> pointers;
  pointers.reserve(types_.size());
  for (const int type : types_) {
    if (type != kLocalMemory) pointers.push_back(values);
    values += SlotBytes(type);
  }
  module_->NeedShared(function_, shape[6]);
  Enqueued work = Work(stream, uses, [&] {
    Cuda().cuLaunchKernel(function_, shape[0], shape[1], shape[2], shape[3], shape[4], shape[5],
                          shape[6], stream->handle(), pointers.data(), nullptr);
  });
  module_->NoteLaunch(stream, work.event);
  return work;
}

}  // namespace array_interface::cuda
