#include "driver/driver.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace array_interface::cuda {

namespace {

// Never destroyed: threads and garbage collection use it until the process ends.
const EntryPoints& Nothing() {
  static const auto& nothing = *new EntryPoints();
  return nothing;
}

std::atomic<const EntryPoints*> bound{nullptr};
std::atomic<int> loaded_version{0};
std::mutex loading;
const Driver* loaded = nullptr;

/// How long process exit waits for driver calls of background threads: a kernel build, or a
/// release, which the driver may block on work that never ends.
constexpr ExitGate::Milliseconds kTimeout{5000};

std::string VersionName(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Looks up functions by the driver's own means: cuGetProcAddress_v2 from 12.0, cuGetProcAddress
/// from 11.3, exported symbols before.
class Finder {
 public:
  explicit Finder(const Library& library)
      : library_(library),
        ask_with_status_(reinterpret_cast<WithStatus>(library.Symbol("cuGetProcAddress_v2"))),
        ask_(reinterpret_cast<Plain>(library.Symbol("cuGetProcAddress"))) {}

  void* Find(const char* name, const char* symbol, int version) const {
    void* function = nullptr;
    int status = 0;
    if (ask_with_status_ != nullptr) {
      ask_with_status_(name, &function, version, kProcAddressLegacyStream, &status);
    } else if (ask_ != nullptr) {
      ask_(name, &function, version, kProcAddressLegacyStream);
    } else {
      function = library_.Symbol(symbol);
    }
    return function;
  }

 private:
  using WithStatus = Result (*)(const char*, void**, int, std::uint64_t, int*);
  using Plain = Result (*)(const char*, void**, int, std::uint64_t);

  const Library& library_;
  WithStatus ask_with_status_;
  Plain ask_;
};

/// The result lives until the process ends, even for drivers that failed: another thread may be
/// reading an error's name from one.
const EntryPoints* Bind(const Library& library) {
  static auto& kept = *new std::vector<std::unique_ptr<const EntryPoints>>();
  const Finder finder(library);
  auto api = std::make_unique<EntryPoints>();
  api->ForEach(
      [&](auto& entry) { entry.Bind(finder.Find(entry.name, entry.symbol, entry.version)); });
  kept.push_back(std::move(api));
  return kept.back().get();
}

}  // namespace

const EntryPoints& Driver::Api() {
  const EntryPoints* api = bound.load(std::memory_order_acquire);
  return api != nullptr ? *api : Nothing();
}

int Driver::Version() { return loaded_version.load(std::memory_order_acquire); }

void Driver::Start() {
  Cuda().cuDriverGetVersion(&version_);
  if (version_ < kOldest) {
    throw std::runtime_error("expected a driver for CUDA " + VersionName(kOldest) +
                             " or later, got one for CUDA " + VersionName(version_) +
                             "; update the NVIDIA driver");
  }
  Cuda().cuInit(0);
  Cuda().cuDeviceGetCount(&device_count_);
  if (device_count_ > 0) return;
  throw std::runtime_error(
      "expected at least one CUDA device, got none; is CUDA_VISIBLE_DEVICES empty?");
}

const Driver* Driver::Load(const std::vector<std::string>& candidates,
                           std::vector<Attempt>& attempts) {
  const std::lock_guard lock(loading);
  if (loaded != nullptr) return loaded;
  for (const auto& candidate : candidates) {
    const auto library = Library::Open({candidate}, attempts);
    if (library == nullptr) continue;
    bound.store(Bind(*library), std::memory_order_release);
    auto driver = std::unique_ptr<Driver>(new Driver(*library));
    try {
      driver->Start();
      loaded_version.store(driver->version(), std::memory_order_release);
      loaded = driver.release();
      ExitGate::Instance().CloseAtExit(kTimeout);
      return loaded;
    } catch (const std::exception& failure) {
      attempts.push_back({library->path(), failure.what()});
      bound.store(nullptr, std::memory_order_release);
    }
  }
  return nullptr;
}

}  // namespace array_interface::cuda
