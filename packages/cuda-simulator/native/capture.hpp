#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "schedule.hpp"
#include "stream.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

/// Work that was captured instead of being done.
struct GraphNode {
  Work work;  ///< empty for a mark
  Schedule::Kind kind = Schedule::Kind::device;
  std::vector<std::size_t> needs;  ///< nodes before it
};

struct Graph {
  std::vector<GraphNode> nodes;  ///< each behind all that it needs
};

/// What a stream is doing, as cuStreamGetCaptureInfo tells it.
struct CaptureInfo {
  int status = 0;  ///< CU_STREAM_CAPTURE_STATUS: 0 none, 1 active, 2 invalidated
  std::uint64_t id = 0;
  std::uint64_t graph = 0;         ///< its handle
  std::vector<std::size_t> needs;  ///< nodes that the next one of this stream will come after
};

HandleTable<Graph>& graphs();

/// Begins to collect what the stream gets. Throws Failure for a stream that captures already and
/// for the legacy default stream.
void begin_capture(const std::shared_ptr<Stream>& stream, int mode);

/// Ends the capture that began in this stream, and gives the handle of what it collected. Throws
/// Failure where it began elsewhere, where it was invalidated, and where a stream that joined never
/// came back.
std::uint64_t end_capture(Stream& stream);

CaptureInfo capture_info(Stream& stream);

/// Collects work in place of the schedule; null where the stream is not capturing. Throws Failure
/// where the legacy default stream would wait for a captured one.
TaskPtr capture_work(Stream& stream, Work& work, const std::vector<TaskPtr>& needs,
                     Schedule::Kind kind);

/// Makes the stream wait for an event that was recorded while capturing: it joins that capture.
void capture_wait(Stream& stream, const Task& recorded);

/// What waiting for, or asking about, work of the stream does: nothing, or the end of its capture
/// with Failure STREAM_CAPTURE_UNSUPPORTED.
void refuse_captured(Stream& stream);

/// The same for everything in a context.
void refuse_captured(const Context& context);

/// Ends a call that is unsafe while a stream captures in a mode that forbids it to this thread.
void refuse_unsafe_call(const char* symbol);

/// A stream that is destroyed takes its capture with it.
void forget_capture(Stream& stream);

/// Sets the calling thread's mode and gives the one before.
int exchange_capture_mode(int mode);

}  // namespace array_interface::cuda_simulator
