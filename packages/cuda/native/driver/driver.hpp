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
  /// Oldest driver that has all that the addon relies on, as cuDriverGetVersion gives it.
  static constexpr int kOldest = 11020;

  /// Loads the first candidate that is a usable driver: new enough, initialised, with a device.
  /// What happened to each other goes to `attempts`. A driver that was loaded before is answered
  /// whatever the candidates; after a failure it may be called again. Null if there is none.
  static const Driver* Load(const std::vector<std::string>& candidates,
                            std::vector<Attempt>& attempts);

  /// The functions of the loaded driver; before that each call of one throws.
  static const EntryPoints& Api();

  /// What the loaded driver's cuDriverGetVersion gave; 0 before it is loaded. Features that came
  /// after kOldest are asked for by this.
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
