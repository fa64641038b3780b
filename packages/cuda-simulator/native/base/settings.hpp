#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace array_interface::cuda_simulator {

/// The settings from the environment, read once. The README's table documents each variable.
struct Settings {
  enum class Schedule { lazy, eager, random };
  /// Which devices can access another's memory. `lower`: only memory of devices with a lower
  /// number.
  enum class Peers { none, all, lower };

  bool can_access(int device, int peer) const {
    return device != peer && (peers == Peers::all || (peers == Peers::lower && peer < device));
  }

  Schedule schedule = Schedule::lazy;
  std::uint64_t seed = 0;  ///< for Schedule::random
  int lazy_queries = 16;   ///< the number of the query that runs the work
  int devices = 2;
  std::size_t memory = std::size_t{4096} << 20;  ///< bytes per device
  int driver_version = 12080;
  std::size_t address_space = std::size_t{256} << 30;  ///< bytes of addresses reserved at a time
  Peers peers = Peers::all;
  std::uint64_t kernel_steps = 4'000'000'000;  ///< instructions that one interpreted launch may run
  bool leaks = false;
  bool teardown = false;
  std::string log;      ///< file that every call is logged to; empty: none
  std::string problem;  ///< one-line description of an invalid environment, or empty
};

/// Returns the settings of this process. Does not block, and never throws. cuInit reports
/// `problem`.
const Settings& settings();

}  // namespace array_interface::cuda_simulator
