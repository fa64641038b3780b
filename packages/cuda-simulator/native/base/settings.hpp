#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace array_interface::cuda_simulator {

/// The settings of the environment, read once. The README's table says what each variable means.
struct Settings {
  enum class Schedule { lazy, eager, random };
  /// Which devices can reach another's memory: those of a lower number, with `lower`.
  enum class Peers { none, all, lower };

  bool can_access(int device, int peer) const {
    return device != peer && (peers == Peers::all || (peers == Peers::lower && peer < device));
  }

  Schedule schedule = Schedule::lazy;
  std::uint64_t seed = 0;  ///< of Schedule::random
  int lazy_queries = 16;   ///< the query that runs the work
  int devices = 2;
  std::size_t memory = std::size_t{4096} << 20;  ///< bytes of each device
  int driver_version = 12080;
  std::size_t address_space = std::size_t{256} << 30;  ///< bytes of addresses asked for at a time
  Peers peers = Peers::all;
  std::uint64_t kernel_steps = 4'000'000'000;  ///< instructions that one interpreted launch may run
  bool leaks = false;
  bool teardown = false;
  std::string log;      ///< file that every call is written to; empty: none
  std::string problem;  ///< empty, or what is wrong with the environment, in one line
};

/// The settings of this process. Never waits, never throws; cuInit reports `problem`.
const Settings& settings();

}  // namespace array_interface::cuda_simulator
