#include "kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "context_device.hpp"
#include "kernel_builder.hpp"
#include "kernels/embedded.hpp"
#include "kernels/launch/convert_arguments.hpp"
#include "kernels/launch/specialise.hpp"
#include "opencl_layer.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kDoubles = 6;  // the number of the aspect fp64 in the C library

/// Units from which a copy has kernels of its own kind built, once. The shared kernel takes a dozen
/// nanoseconds a unit, a kernel of its own a tenth of that.
constexpr std::uint64_t kWorthBuilding = std::uint64_t{1} << 12;

/// Units for each kernel from which a copy builds its own kernels first. Building takes 50 to 250
/// ms, and the shared kernel would take longer.
constexpr std::uint64_t kWorthWaiting = std::uint64_t{1} << 24;

/// The most kernels built in one context: more layouts than a program has, and few enough for its
/// memory. Further kinds use the shared kernel.
constexpr std::size_t kMostKernels = 256;

/// Items of the shared kernel come in whole groups of this size. For a prime number of items the
/// runtime would make groups of one. The kernel's loop skips items beyond the count.
constexpr std::size_t kItemsOfGroup = 256;
/// The runtime counts items in an int.
constexpr std::size_t kMostItems = 0x7fffff00;

/// The kernel that moves 4 bytes from one dense row to another.
SpecialKernel MostUsed() {
  std::uint32_t number = 0;
  const StridedCopy copy{&number, &number, 4, {16, 16}, {128, 4}, {128, 4}};
  return special_parts(copy, Tiles::kRefused).front().kernel;
}

bool IsWide(std::uint32_t conversion) {
  const std::uint32_t from = conversion & 0xff;
  const std::uint32_t to = conversion >> 8 & 0xff;
  // Numbers that are not converted need no 64-bit floats, even if they are as wide.
  return from != to &&
         (is_wide(static_cast<ElementType>(from)) || is_wide(static_cast<ElementType>(to)));
}

std::vector<std::uint32_t> ModuleOf(const SpecialKernel& kernel) {
  const auto& [is_tiles, conversion, steps, axes] = kernel;
  const bool is_wide = IsWide(conversion);
  if (is_tiles) {
    return is_wide ? specialise(tile_copy_spirv, conversion, steps, axes)
                   : specialise(tile_copy_without_doubles_spirv, conversion, steps, axes);
  }
  return is_wide ? specialise(row_copy_spirv, conversion, steps, axes)
                 : specialise(row_copy_without_doubles_spirv, conversion, steps, axes);
}

}  // namespace

/// A request for one kind. It ends with the job, even if the job never runs: then the next copy of
/// the kind requests it again. It does not keep the context and device, since nothing needs their
/// kernels once they have ended.
class Kernels::Request {
 public:
  Request(const std::shared_ptr<ContextDevice>& context_device, const SpecialKernel& kernel)
      : context_device_(context_device),
        kernel_(kernel),
        is_first_(context_device->kernels().Begin(kernel)) {}
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  ~Request() {
    const auto context_device = context_device_.lock();
    if (is_first_ && context_device != nullptr) context_device->kernels().GiveUp(kernel_);
  }

  bool is_first() const { return is_first_; }
  void Build() const {
    if (const auto context_device = context_device_.lock())
      context_device->kernels().Build(*context_device, kernel_);
  }

 private:
  std::weak_ptr<ContextDevice> context_device_;
  SpecialKernel kernel_;
  bool is_first_;
};

void Kernels::Prepare(const std::shared_ptr<ContextDevice>& context_device) {
  if (prepared_.exchange(true)) return;
  KernelBuilder::Instance().Offer([weak = std::weak_ptr<ContextDevice>(context_device)] {
    if (const auto live = weak.lock()) live->kernels().GetShared(*live);
  });
  Ask(context_device, MostUsed());
}

Kernels::Chosen Kernels::Choose(const std::shared_ptr<ContextDevice>& context_device,
                                const StridedCopy& copy) {
  require_alignment(copy);
  Chosen chosen;
  chosen.parts = special_parts(copy, TilesOf(*context_device));
  if (chosen.parts.empty()) return chosen;
  chosen.conversion = chosen.parts.front().kernel.conversion;
  if (IsWide(chosen.conversion) && !HasDoubles(*context_device)) {
    throw SyclError("ERR_DTYPE_UNSUPPORTED", "dtype",
                    "expected a device with 64-bit floats, got " + context_device->selector +
                        ", which has none; convert in host memory");
  }
  chosen.of_parts = ForParts(context_device, chosen.parts, unit_count(copy));
  if (chosen.of_parts.empty()) chosen.shared = GetShared(*context_device);
  return chosen;
}

EventReference Kernels::Launch(void* queue, const StridedCopy& copy, const Chosen& chosen) {
  if (chosen.shared != nullptr) return LaunchShared(queue, copy, chosen);
  EventReference last;
  for (std::size_t part = 0; part < chosen.parts.size(); ++part) {
    Built& built = *chosen.of_parts[part];
    for_each_special_launch(chosen.parts[part], [&](SpecialLaunch& launch) {
      last = std::visit(
          [&](auto& values) {
            static constexpr auto types = std::decay_t<decltype(values)>::dpctl_types();
            auto arguments = values.dpctl_arguments();
            return Submit(built, queue, arguments, types, launch.items.data(), launch.rank);
          },
          launch.arguments);
    });
  }
  return last;
}

EventReference Kernels::LaunchShared(void* queue, const StridedCopy& copy, const Chosen& chosen) {
  static constexpr auto types = ConvertArguments::dpctl_types();
  EventReference last;
  for_each_launch(copy, [&](const KernelArguments& layout) {
    ConvertArguments values{layout, chosen.conversion};
    auto arguments = values.dpctl_arguments();
    const std::size_t groups = (layout.count + kItemsOfGroup - 1) / kItemsOfGroup;
    const std::size_t items = std::min(groups * kItemsOfGroup, kMostItems);
    last = Submit(*chosen.shared, queue, arguments, types, &items, 1);
  });
  return last;
}

template <std::size_t count>
EventReference Kernels::Submit(Built& built, void* queue, std::array<void*, count>& arguments,
                               const std::array<int, count>& types, const std::size_t* items,
                               std::size_t rank) {
  const std::lock_guard lock(built.launching);
  return {dpctl_, dpctl_.Queue_SubmitRange.Must(built.kernel.get(), queue, arguments.data(),
                                                types.data(), count, items, rank, nullptr, 0)};
}

Tiles Kernels::TilesOf(const ContextDevice& context_device) {
  std::call_once(asked_tiles_, [&] {
    const bool is_cpu = context_device.selector.find(":cpu:") != std::string::npos;
    const bool has_room =
        is_cpu && dpctl_.Device_GetLocalMemSize(context_device.reference.get()) >= tile_local_bytes;
    tiles_ = has_room ? Tiles::kAllowed : Tiles::kRefused;
  });
  return tiles_;
}

bool Kernels::HasDoubles(const ContextDevice& context_device) const {
  return dpctl_.Device_HasAspect(context_device.reference.get(), kDoubles);
}

std::vector<std::shared_ptr<Kernels::Built>> Kernels::ForParts(
    const std::shared_ptr<ContextDevice>& context_device, const std::vector<SpecialPart>& parts,
    std::uint64_t units) {
  std::vector<std::shared_ptr<Built>> kernels;
  for (const SpecialPart& part : parts) {
    auto kernel = Find(part.kernel);
    if (kernel == nullptr && units / parts.size() >= kWorthWaiting) {
      Build(*context_device, part.kernel);
      kernel = Find(part.kernel);
      if (kernel == nullptr) return {};
    }
    if (kernel != nullptr) {
      kernels.push_back(std::move(kernel));
    } else if (units >= kWorthBuilding) {
      Ask(context_device, part.kernel);
    }
  }
  if (kernels.size() < parts.size()) kernels.clear();
  return kernels;
}

std::shared_ptr<Kernels::Built> Kernels::Find(const SpecialKernel& kernel) {
  std::lock_guard lock(mutex_);
  const auto found = kinds_.find(kernel);
  return found == kinds_.end() ? nullptr : found->second.built;
}

void Kernels::Ask(const std::shared_ptr<ContextDevice>& context_device,
                  const SpecialKernel& kernel) {
  auto request = std::make_shared<Request>(context_device, kernel);
  if (!request->is_first()) return;
  KernelBuilder::Instance().Offer([request = std::move(request)] { request->Build(); });
}

bool Kernels::Begin(const SpecialKernel& kernel) {
  std::lock_guard lock(mutex_);
  return kinds_.size() < kMostKernels && kinds_.try_emplace(kernel).second;
}

void Kernels::GiveUp(const SpecialKernel& kernel) {
  std::lock_guard lock(mutex_);
  const auto found = kinds_.find(kernel);
  if (found != kinds_.end() && found->second.is_asked) kinds_.erase(found);
}

bool Kernels::IsWanted(const SpecialKernel& kernel) {
  std::lock_guard lock(mutex_);
  const auto found = kinds_.find(kernel);
  return found == kinds_.end() ? kinds_.size() < kMostKernels : found->second.is_asked;
}

// Several threads may build one kind at the same time. The first kernel is kept.
void Kernels::Build(const ContextDevice& context_device, const SpecialKernel& kernel) {
  if (!IsWanted(kernel)) return;
  const std::vector<std::uint32_t> words = ModuleOf(kernel);
  std::shared_ptr<Built> made;
  try {
    made = Make(context_device, words.data(), words.size() * sizeof words[0], kernel.name());
  } catch (const SyclError&) {
    // The device's compiler refuses this kernel, so the kernel for all conversions is used.
  }
  std::lock_guard lock(mutex_);  // unlocked before an unused kernel is destroyed
  Kind& kind = kinds_[kernel];
  kind.is_asked = false;
  if (kind.built == nullptr) kind.built = std::move(made);
}

std::shared_ptr<Kernels::Built> Kernels::GetShared(const ContextDevice& context_device) {
  std::lock_guard lock(shared_mutex_);
  if (shared_ == nullptr) {
    const SpirvModule& module =
        HasDoubles(context_device) ? convert_spirv : convert_without_doubles_spirv;
    shared_ = Make(context_device, module.words, module.bytes(), "convert");
  }
  return shared_;
}

std::shared_ptr<Kernels::Built> Kernels::Make(const ContextDevice& context_device,
                                              const void* module, std::size_t size,
                                              const char* name) const {
  auto made = std::make_shared<Built>();
  made->bundle = BuildModule(dpctl_, context_device.context.get(), context_device.reference.get(),
                             module, size);
  if (!made->bundle) dpctl_.KernelBundle_CreateFromSpirv.Fail("a failure");
  made->kernel = {dpctl_, dpctl_.KernelBundle_GetKernel.Must(made->bundle.get(), name)};
  return made;
}

}  // namespace array_interface::sycl
