#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph.hpp"
#include "schedule.hpp"
#include "stream.hpp"
#include "task.hpp"

namespace array_interface::cuda_simulator {

/// The state of a stream, as cuStreamGetCaptureInfo reports it.
struct CaptureInfo {
  int status = 0;  ///< CU_STREAM_CAPTURE_STATUS: 0 none, 1 active, 2 invalidated
  std::uint64_t id = 0;
  CUgraph graph = nullptr;
  std::vector<std::size_t> needs;  ///< nodes that the stream's next node depends on
};

/// Starts to capture the work of a stream. Throws Failure if the stream is already capturing, and
/// for the legacy default stream.
void begin_capture(const std::shared_ptr<Stream>& stream, int mode);

/// Does the same, and adds the work to an existing graph, after the nodes in `needs`.
void begin_capture(const std::shared_ptr<Stream>& stream, int mode, CUgraph graph,
                   std::set<std::size_t> needs);

/// Changes which nodes the next one of a capturing stream depends on. Throws Failure ILLEGAL_STATE
/// if the stream does not capture.
void set_capture_needs(Stream& stream, const std::set<std::size_t>& needs, bool keeps_old);

/// Ends the capture that began in this stream, and returns the handle of its graph. Throws Failure
/// if the capture began elsewhere or was invalidated, or if a stream that joined was not joined
/// back.
CUgraph end_capture(Stream& stream);

CaptureInfo capture_info(Stream& stream);

/// Captures work instead of scheduling it. Returns null if the stream is not capturing. Throws
/// Failure if the legacy default stream would wait for a captured one.
TaskPtr capture_work(Stream& stream, Work& work, const std::vector<TaskPtr>& needs, WorkKind kind);

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
