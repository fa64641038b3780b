#include "kernels.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "background.hpp"
#include "kernels/convert_arguments.hpp"
#include "kernels/generated/convert_spirv.hpp"
#include "kernels/generated/convert_without_doubles_spirv.hpp"
#include "kernels/generated/row_copy_spirv.hpp"
#include "kernels/generated/row_copy_without_doubles_spirv.hpp"
#include "kernels/generated/tiled_copy_spirv.hpp"
#include "kernels/generated/tiled_copy_without_doubles_spirv.hpp"
#include "kernels/specialise.hpp"
#include "place.hpp"

namespace array_interface::sycl {

namespace {

constexpr int kDoubles = 6;  // the aspect fp64, as the C library counts

/// Units of a copy from which a kernel for its kind is built, once: the shared one takes some
/// milliseconds for as many, where the own one would be twenty and more times as fast.
constexpr std::uint64_t kWorthBuilding = std::uint64_t{1} << 14;

/// Units from which a copy waits for its kernel: some 50 ms, for which the shared one takes longer.
constexpr std::uint64_t kWorthWaiting = std::uint64_t{1} << 20;

/// Kernels built in one place: more layouts than a program has, fewer than fill its memory. What
/// comes after them is the shared kernel's.
constexpr std::size_t kMostKernels = 256;

/// What moves 4 bytes from one dense row to another.
const TiledKernel& MostUsed() {
  static std::uint32_t number = 0;
  static const StridedCopy copy{&number, &number, 4, {16, 16}, {128, 4}, {128, 4}};
  static const TiledKernel kernel = tiled_parts(copy).front().kernel;
  return kernel;
}

bool IsWide(std::uint32_t conversion) {
  const std::uint32_t from = conversion & 0xff;
  const std::uint32_t to = conversion >> 8 & 0xff;
  // Numbers that stay as they are may be moved as if they were doubles.
  return from != to &&
         (is_wide(static_cast<ElementType>(from)) || is_wide(static_cast<ElementType>(to)));
}

std::vector<std::uint32_t> ModuleOf(const TiledKernel& kernel) {
  const auto& [is_tiles, conversion, steps, axes] = kernel;
  const bool is_wide = IsWide(conversion);
  if (is_tiles) {
    return is_wide ? specialise(tiled_copy_spirv, conversion, steps, axes)
                   : specialise(tiled_copy_without_doubles_spirv, conversion, steps, axes);
  }
  return is_wide ? specialise(row_copy_spirv, conversion, steps, axes)
                 : specialise(row_copy_without_doubles_spirv, conversion, steps, axes);
}

/// A square is 16 KiB or more for each item, which CPUs hold in their caches and GPUs do not have.
Squares SquaresOf(const Place& place) {
  const bool is_cpu = place.selector.find(":cpu:") != std::string::npos;
  return is_cpu ? Squares::kAllowed : Squares::kRefused;
}

}  // namespace

/// One asked for build. Ends with the job, also where the job never runs: then the next copy of the
/// kind asks again.
class Kernels::Asked {
 public:
  Asked(std::shared_ptr<Place> place, const TiledKernel& kernel)
      : place_(std::move(place)), kernel_(kernel) {}
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  ~Asked() {
    Kernels& kernels = place_->kernels();
    std::lock_guard lock(kernels.mutex_);
    const auto found = kernels.kinds_.find(kernel_);
    if (found != kernels.kinds_.end() && found->second.is_asked) kernels.kinds_.erase(found);
  }

  void Build() const { place_->kernels().Build(*place_, kernel_); }

 private:
  std::shared_ptr<Place> place_;
  TiledKernel kernel_;
};

void Kernels::Prepare(const std::shared_ptr<Place>& place) {
  if (prepared_.exchange(true)) return;
  Background::Instance().Prepare([this, place] { GetAny(*place); });
  Ask(place, MostUsed());
}

void Kernels::Launch(const std::shared_ptr<Place>& place, void* queue, const StridedCopy& copy) {
  require_alignment(copy);
  const std::vector<TiledPart> parts = tiled_parts(copy, SquaresOf(*place));
  if (parts.empty()) return;
  const std::uint32_t conversion = parts.front().kernel.conversion;
  if (IsWide(conversion) && !HasDoubles(*place)) {
    throw SyclError("ERR_DTYPE_UNSUPPORTED", "dtype",
                    "expected a device with 64-bit floats, got " + place->selector +
                        ", which has none; convert in host memory");
  }
  const std::vector<std::shared_ptr<Built>> kernels = ForParts(place, parts, unit_count(copy));
  if (kernels.empty()) return LaunchAny(*place, queue, copy, conversion);
  static constexpr auto types = TiledArguments::dpctl_types();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for_each_tiled_launch(parts[part], [&](TiledLaunch& launch) {
      auto arguments = launch.arguments.dpctl_arguments();
      Submit(*kernels[part], queue, arguments, types, launch.items.data(), launch.rank);
    });
  }
}

void Kernels::LaunchAny(const Place& place, void* queue, const StridedCopy& copy,
                        std::uint32_t conversion) {
  const std::shared_ptr<Built> kernel = GetAny(place);
  static constexpr auto types = ConvertArguments::dpctl_types();
  for_each_launch(copy, [&](const KernelArguments& layout) {
    ConvertArguments values{layout, conversion};
    auto arguments = values.dpctl_arguments();
    const auto items = static_cast<std::size_t>(layout.count);
    Submit(*kernel, queue, arguments, types, &items, 1);
  });
}

template <std::size_t count>
void Kernels::Submit(Built& built, void* queue, std::array<void*, count>& arguments,
                     const std::array<int, count>& types, const std::size_t* items,
                     std::size_t rank) {
  std::lock_guard lock(built.launching);
  const EventReference event(
      dpctl_, dpctl_.Queue_SubmitRange.Must(built.kernel.get(), queue, arguments.data(),
                                            types.data(), count, items, rank, nullptr, 0));
}

bool Kernels::HasDoubles(const Place& place) const {
  return dpctl_.Device_HasAspect(place.reference.get(), kDoubles);
}

std::vector<std::shared_ptr<Kernels::Built>> Kernels::ForParts(const std::shared_ptr<Place>& place,
                                                               const std::vector<TiledPart>& parts,
                                                               std::uint64_t units) {
  std::vector<std::shared_ptr<Built>> kernels;
  for (const TiledPart& part : parts) {
    if (units >= kWorthWaiting) {
      BuildNow(*place, part.kernel);
    } else if (units >= kWorthBuilding) {
      Ask(place, part.kernel);
    }
    if (auto kernel = Find(part.kernel)) kernels.push_back(std::move(kernel));
  }
  if (kernels.size() < parts.size()) kernels.clear();
  return kernels;
}

std::shared_ptr<Kernels::Built> Kernels::Find(const TiledKernel& kernel) {
  std::lock_guard lock(mutex_);
  const auto found = kinds_.find(kernel);
  return found == kinds_.end() ? nullptr : found->second.built;
}

void Kernels::Ask(const std::shared_ptr<Place>& place, const TiledKernel& kernel) {
  {
    std::lock_guard lock(mutex_);
    if (kinds_.size() >= kMostKernels || !kinds_.emplace(kernel, Kind()).second) return;
  }
  auto asked = std::make_shared<Asked>(place, kernel);
  Background::Instance().Prepare([asked = std::move(asked)] { asked->Build(); });
}

void Kernels::BuildNow(const Place& place, const TiledKernel& kernel) {
  {
    std::lock_guard lock(mutex_);
    const auto found = kinds_.find(kernel);
    const bool is_known = found != kinds_.end();
    // One that is asked for is built twice, which takes no longer than to wait for its turn.
    if (is_known ? !found->second.is_asked : kinds_.size() >= kMostKernels) return;
  }
  Build(place, kernel);
}

void Kernels::Build(const Place& place, const TiledKernel& kernel) {
  const std::vector<std::uint32_t> words = ModuleOf(kernel);
  std::shared_ptr<Built> made;
  try {
    made = Make(place, words.data(), words.size() * sizeof words[0], kernel.name());
  } catch (const SyclError&) {
    // The device's compiler refuses this one: the kernel for all conversions does its work.
  }
  std::lock_guard lock(mutex_);
  kinds_[kernel] = {false, std::move(made)};
}

std::shared_ptr<Kernels::Built> Kernels::GetAny(const Place& place) {
  std::lock_guard lock(any_mutex_);
  if (any_ == nullptr) {
    any_ = HasDoubles(place) ? Make(place, convert_spirv, sizeof convert_spirv, "convert")
                             : Make(place, convert_without_doubles_spirv,
                                    sizeof convert_without_doubles_spirv, "convert");
  }
  return any_;
}

std::shared_ptr<Kernels::Built> Kernels::Make(const Place& place, const void* module,
                                              std::size_t size, const char* name) const {
  auto made = std::make_shared<Built>();
  made->bundle = {dpctl_, dpctl_.KernelBundle_CreateFromSpirv.Must(
                              place.context.get(), place.reference.get(), module, size, "")};
  made->kernel = {dpctl_, dpctl_.KernelBundle_GetKernel.Must(made->bundle.get(), name)};
  return made;
}

}  // namespace array_interface::sycl
