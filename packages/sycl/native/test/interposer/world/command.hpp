#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "references.hpp"

namespace array_interface::sycl::interposer {

struct Command;
using CommandPointer = std::shared_ptr<Command>;

/// One SYCL queue, however many references to it exist.
struct Queue {
  Queue(const void* reference, Mark device);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void* const own;  ///< a reference of its own
  const std::size_t hash;
  const std::size_t context;  ///< the hash of its context
  const bool in_order;
  const Mark device;
  std::uint64_t number = 0;
  std::size_t references = 0;
  std::uint64_t held_from = kNever;  ///< the number of the first command that does not start
  CommandPointer last;
  CommandPointer barrier;  ///< the last one, if the queue is out of order
};

/// Submits a command to the runtime after events. Returns the runtime's event, or null.
using Submission = std::function<void*(void** events, std::size_t count)>;

/// One command, which the runtime may not have been given yet. World's mutex protects all members
/// but those that are marked as safe.
struct Command {
  Command() = default;
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// Whether the runtime reports that it has ended. Safe once it was submitted.
  bool Ended();

  std::uint64_t number = 0;  ///< grows with each command
  std::uint64_t queue_number = 0;
  const char* what = "";
  bool in_order = false;
  int looks = 0;  ///< how often its status was queried before it was submitted

  // used until it is submitted
  Submission submission;
  std::shared_ptr<Queue> queue;
  std::vector<CommandPointer> prerequisites;  ///< commands that must be submitted before it
  std::vector<CommandPointer> awaited;        ///< commands after which the runtime must order it
  std::vector<void*> awaited_events;          ///< the same, for events of other libraries

  bool submitted = false;
  std::atomic<void*> event{nullptr};  ///< the runtime's; safe
  std::atomic<bool> ended{false};     ///< safe
};

}  // namespace array_interface::sycl::interposer
