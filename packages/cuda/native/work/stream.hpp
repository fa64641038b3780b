#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "driver/context.hpp"
#include "napi/setup.hpp"
#include "work/event.hpp"
#include "work/live_counts.hpp"

namespace array_interface::cuda {

/// An order of work on a device: one that we made, or somebody else's handle. Nothing here waits
/// for the device. Used on the JavaScript thread only.
class Stream {
 public:
  static constexpr napi_type_tag kTag{0x0d5e3c1b9f8a4e67, 0xb1c2f3047a6d5e03};

  /// A new stream of the device's primary context. Throws DriverError.
  static std::shared_ptr<Stream> Create(int device, bool non_blocking, int priority);
  /// A foreign stream: 1 legacy default, 2 per-thread default of the calling thread (these two of
  /// the device's primary context), or a handle, whose device is its own. Throws DriverError.
  static std::shared_ptr<Stream> Borrow(std::uint64_t handle, int device);

  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { Destroy(); }

  /// Gives a stream of ours back; work given to it is still done. Does nothing to a foreign one.
  void Destroy() noexcept;
  bool destroyed() const { return !count_.has_value(); }

  const std::shared_ptr<Context>& context() const { return context_; }
  StreamHandle handle() const { return handle_; }

  /// Whether everything given to this stream so far has ended. Throws DriverError when it failed.
  bool Query() const;
  std::shared_ptr<Event> Record(Event::Purpose purpose = Event::Purpose::kOrder) const;
  /// Everything given to this stream from now on starts after `event`.
  void Wait(const Event& event) const;

  /// Whether what is given to it now is recorded into a graph instead of done. Throws DriverError.
  bool IsCapturing() const;

  unsigned Flags() const;
  int Priority() const;

 private:
  Stream(std::shared_ptr<Context> context, StreamHandle handle, bool owned);

  std::shared_ptr<Context> context_;
  StreamHandle handle_;
  bool owned_;
  std::optional<LiveCount> count_;
};

}  // namespace array_interface::cuda
