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

/// One SYCL queue, however many references there are to it.
struct Queue {
  Queue(const void* reference, Mark device);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  void* const own;  ///< a reference of its own
  const std::size_t hash;
  const std::size_t context;  ///< its hash
  const bool in_order;
  const Mark device;
  std::uint64_t number = 0;
  std::size_t references = 0;
  std::uint64_t held_from = kNever;  ///< the first command that does not begin
  CommandPointer last;
  CommandPointer barrier;  ///< the last, where the queue is out of order
};

/// Submits to the runtime, after events: the runtime's event, or null.
using Submission = std::function<void*(void** events, std::size_t count)>;

/// One command, which the runtime may not have been given yet. All but what is said to be safe is
/// guarded by World's mutex.
struct Command {
  Command() = default;
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// Whether the runtime says that it has ended. Safe once it was submitted.
  bool Ended();

  std::uint64_t number = 0;  ///< one that is submitted later has a larger one
  std::uint64_t queue_number = 0;
  const char* what = "";
  bool in_order = false;
  int looks = 0;  ///< how often its state was asked while it was not submitted

  // until it is submitted
  Submission submission;
  std::shared_ptr<Queue> queue;
  std::vector<CommandPointer> prerequisites;  ///< what is to be submitted before it
  std::vector<CommandPointer> awaited;        ///< what the runtime has to order it after
  std::vector<void*> awaited_events;          ///< the same, of other libraries

  bool submitted = false;
  std::atomic<void*> event{nullptr};  ///< the runtime's; safe
  std::atomic<bool> ended{false};     ///< safe
};

}  // namespace array_interface::sycl::interposer
