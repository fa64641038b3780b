#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/entry_points.hpp"
#include "library/library.hpp"

namespace array_interface::cuda {

/// The CUDA driver of this process: loaded once, initialised, never unloaded.
class Driver {
 public:
  /// The oldest driver with everything that the addon needs, in the units of cuDriverGetVersion.
  static constexpr int kOldest = 11020;

  /// Loads the first candidate that is a usable driver: new enough, initialised, with a device.
  /// Appends what happened to the others to `attempts`. Returns null if there is none. Once a
  /// driver is loaded, returns it for all candidates. After a failure, this may be called again.
  static const Driver* Load(const std::vector<std::string>& candidates,
                            std::vector<Attempt>& attempts);

  /// Returns the functions of the loaded driver. Before one is loaded, each call throws.
  static const EntryPoints& Api();

  /// Returns the loaded driver's version from cuDriverGetVersion; 0 before one is loaded. Tells
  /// whether features newer than kOldest are available.
  static int Version();

  const std::string& path() const { return path_; }
  int version() const { return version_; }
  int device_count() const { return device_count_; }

 private:
  explicit Driver(const Library& library) : path_(library.path()) {}
  void Start();

  std::string path_;
  int version_ = 0;
  int device_count_ = 0;
};

/// Shorthand for Driver::Api().
inline const EntryPoints& Cuda() { return Driver::Api(); }

}  // namespace array_interface::cuda
