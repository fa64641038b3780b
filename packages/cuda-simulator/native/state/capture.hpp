#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "schedule.hpp"
#include "stream.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

/// Work that was captured instead of run.
struct GraphNode {
  Work work;  ///< empty for a mark
  Schedule::Kind kind = Schedule::Kind::device;
  std::vector<std::size_t> needs;  ///< nodes before it
};

struct Graph {
  std::vector<GraphNode> nodes;  ///< each after all that it needs
};

/// The state of a stream, as cuStreamGetCaptureInfo reports it.
struct CaptureInfo {
  int status = 0;  ///< CU_STREAM_CAPTURE_STATUS: 0 none, 1 active, 2 invalidated
  std::uint64_t id = 0;
  CUgraph graph = nullptr;
  std::vector<std::size_t> needs;  ///< nodes that the stream's next node depends on
};

inline HandleTable<Graph, CUgraph>& graphs() {
  return immortal<HandleTable<Graph, CUgraph>, 0x6A, CUDA_ERROR_INVALID_VALUE>();
}

/// Starts to capture the work of a stream. Throws Failure if the stream is already capturing, and
/// for the legacy default stream.
void begin_capture(const std::shared_ptr<Stream>& stream, int mode);

/// Ends the capture that began in this stream, and returns the handle of its graph. Throws Failure
/// if the capture began elsewhere or was invalidated, or if a stream that joined was not joined
/// back.
CUgraph end_capture(Stream& stream);

CaptureInfo capture_info(Stream& stream);

/// Captures work instead of scheduling it. Returns null if the stream is not capturing. Throws
/// Failure if the legacy default stream would wait for a captured one.
TaskPtr capture_work(Stream& stream, Work& work, const std::vector<TaskPtr>& needs,
                     Schedule::Kind kind);

/// Makes the stream wait for an event that was recorded while capturing. The stream joins that
/// capture.
void capture_wait(Stream& stream, const Task& recorded);

/// Checks a wait for, or a query of, the stream's work. If the stream is capturing, invalidates the
/// capture and throws Failure STREAM_CAPTURE_UNSUPPORTED.
void refuse_captured(Stream& stream);

/// Performs the same check for everything in a context.
void refuse_captured(const Context& context);

/// Throws for an unsafe call while a stream captures in a mode that forbids it to this thread.
void refuse_unsafe_call(const char* symbol);

/// Ends the capture of a stream that is destroyed.
void forget_capture(Stream& stream);

/// Sets the calling thread's mode. Returns the previous one.
int exchange_capture_mode(int mode);

}  // namespace array_interface::cuda_simulator
