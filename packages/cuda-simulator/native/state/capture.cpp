#include "capture.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/failure.hpp"

namespace array_interface::cuda_simulator {

/// A capture in progress. Guarded by the single lock of all captures.
struct Capture {
  std::uint64_t id = 0;
  int mode = 0;
  const void* thread = nullptr;
  Stream* origin = nullptr;
  bool valid = true;
  bool ended = false;
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  CUgraph handle = nullptr;                        ///< of the graph
  std::size_t first = 0;                           ///< number of the first node that it adds
  bool owns_graph = true;                          ///< and not the program
  std::map<Stream*, std::set<std::size_t>> tails;  ///< of every stream in it
};

namespace {

enum Mode : int { global = 0, thread_local_mode = 1, relaxed = 2 };

struct Captures {
  std::mutex mutex;
  std::vector<std::shared_ptr<Capture>> all;
  std::uint64_t last_id = 0;
  std::atomic<bool> any{false};  // read without the lock by calls that do not need it
};

Captures& captures() { return immortal<Captures>(); }

using Lock = std::lock_guard<std::mutex>;

thread_local int thread_mode = global;
thread_local const char thread_mark = 0;  // its address identifies the thread

/// Calls that may wait for the device, or change what it can access.
constexpr const char* unsafe_calls[] = {
    "cuMemAlloc_v2",       "cuMemAllocPitch_v2",     "cuMemAllocManaged", "cuMemAllocHost_v2",
    "cuMemHostAlloc",      "cuMemHostRegister_v2",   "cuMemFree_v2",      "cuMemFreeHost",
    "cuMemHostUnregister", "cuEventQuery",           "cuMemcpy",          "cuMemcpyHtoD_v2",
    "cuMemcpyDtoH_v2",     "cuMemcpyDtoD_v2",        "cuMemcpyPeer",      "cuMemcpy2D_v2",
    "cuMemcpy3D_v2",       "cuMemcpy2DUnaligned_v2", "cuMemsetD8_v2",     "cuMemsetD16_v2",
    "cuMemsetD32_v2",
};

std::shared_ptr<Capture> capture_of(Stream& stream) {
  for (const auto& capture : captures().all) {
    if (capture->tails.count(&stream) != 0) return capture;
  }
  return nullptr;
}

bool contains(const Context& context, const Capture& capture) {
  return std::any_of(capture.tails.begin(), capture.tails.end(),
                     [&](const auto& entry) { return entry.first->context == &context; });
}

[[noreturn]] void invalidate(Capture& capture, CUresult error) {
  capture.valid = false;
  throw Failure{error};
}

void remove(const std::shared_ptr<Capture>& capture) {
  auto& all = captures().all;
  capture->ended = true;
  all.erase(std::remove(all.begin(), all.end(), capture), all.end());
  captures().any = !all.empty();
}

/// Returns a capture that contains a blocking stream, which the legacy default stream would wait
/// for. Null if there is none.
std::shared_ptr<Capture> joined_by(const Stream& legacy) {
  for (const auto& capture : captures().all) {
    for (const auto& [member, tail] : capture->tails) {
      if (member->context == legacy.context && member->blocking()) return capture;
    }
  }
  return nullptr;
}

/// Invalidates a capture that the stream would wait for, and throws: captured work never runs.
void refuse_legacy(const Stream& stream) {
  const auto capture = joined_by(stream);
  if (capture != nullptr) invalidate(*capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
}

bool is_joined(const Capture& capture) {
  std::set<std::size_t> leaves;
  for (const auto& [number, node] : capture.graph->nodes) {
    if (number >= capture.first) leaves.insert(number);
  }
  for (const auto& [number, node] : capture.graph->nodes) {
    for (const std::size_t before : node.needs) leaves.erase(before);
  }
  for (const std::size_t last : capture.tails.at(capture.origin)) leaves.erase(last);
  return leaves.empty();
}

void begin(const std::shared_ptr<Stream>& stream, int mode,
           const std::shared_ptr<Capture>& capture) {
  require(mode >= global && mode <= relaxed);
  require(!stream->legacy, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  const Lock lock(captures().mutex);
  require(capture_of(*stream) == nullptr, CUDA_ERROR_ILLEGAL_STATE);
  capture->id = ++captures().last_id;
  capture->mode = mode;
  capture->thread = &thread_mark;
  capture->origin = stream.get();
  if (capture->owns_graph) capture->handle = graphs().add(capture->graph);
  captures().all.push_back(capture);
  captures().any = true;
}

}  // namespace

void begin_capture(const std::shared_ptr<Stream>& stream, int mode) {
  const auto capture = std::make_shared<Capture>();
  capture->tails[stream.get()] = {};
  begin(stream, mode, capture);
}

void begin_capture(const std::shared_ptr<Stream>& stream, int mode, CUgraph graph,
                   std::set<std::size_t> needs) {
  const auto capture = std::make_shared<Capture>();
  capture->graph = graphs().get(graph);
  capture->handle = graph;
  capture->first = capture->graph->next;
  capture->owns_graph = false;
  capture->tails[stream.get()] = std::move(needs);
  begin(stream, mode, capture);
}

void set_capture_needs(Stream& stream, const std::set<std::size_t>& needs, bool keeps_old) {
  const Lock lock(captures().mutex);
  const auto capture = capture_of(stream);
  require(capture != nullptr, CUDA_ERROR_ILLEGAL_STATE);
  require(capture->valid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  std::set<std::size_t>& tail = capture->tails.at(&stream);
  if (!keeps_old) tail.clear();
  tail.insert(needs.begin(), needs.end());
}

CUgraph end_capture(Stream& stream) {
  const Lock lock(captures().mutex);
  const auto capture = capture_of(stream);
  require(capture != nullptr, CUDA_ERROR_ILLEGAL_STATE);
  require(capture->origin == &stream, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  require(capture->mode == relaxed || capture->thread == &thread_mark,
          CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  remove(capture);
  const bool joined = is_joined(*capture);
  if (capture->owns_graph && (!capture->valid || !joined)) graphs().remove(capture->handle);
  require(capture->valid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  require(joined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  return capture->handle;
}

CaptureInfo capture_info(Stream& stream) {
  if (!captures().any) return {};
  const Lock lock(captures().mutex);
  // For the legacy default stream this is a normal result, and invalidates nothing.
  if (stream.legacy && joined_by(stream)) throw Failure{CUDA_ERROR_STREAM_CAPTURE_IMPLICIT};
  const auto capture = capture_of(stream);
  if (capture == nullptr) return {};
  const auto& tail = capture->tails.at(&stream);
  return {capture->valid ? 1 : 2, capture->id, capture->handle, {tail.begin(), tail.end()}};
}

TaskPtr capture_work(Stream& stream, Work& work, const std::vector<TaskPtr>& needs, WorkKind kind) {
  if (!captures().any) return nullptr;
  const Lock lock(captures().mutex);
  if (stream.legacy) refuse_legacy(stream);
  const auto capture = capture_of(stream);
  if (capture == nullptr) return nullptr;
  require(capture->valid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  if (!needs.empty()) invalidate(*capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  auto& tail = capture->tails.at(&stream);
  GraphNode node;
  node.kind = kind;
  node.work = std::move(work);
  node.needs = tail;
  const std::size_t number = capture->graph->add(std::move(node));
  tail = {number};
  auto task = std::make_shared<Task>();
  task->context = stream.context;
  task->state = Task::State::done;  // nobody may wait for work that will not run
  task->capture = capture;
  task->node = number;
  return task;
}

void capture_wait(Stream& stream, const Task& recorded) {
  const Lock lock(captures().mutex);
  Capture& capture = *recorded.capture;
  require(!capture.ended, CUDA_ERROR_CAPTURED_EVENT);
  require(capture.valid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  if (stream.legacy) invalidate(capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  const auto own = capture_of(stream);
  if (own != nullptr && own.get() != &capture) {
    own->valid = false;
    invalidate(capture, CUDA_ERROR_STREAM_CAPTURE_MERGE);
  }
  capture.tails[&stream].insert(recorded.node);
}

void refuse_captured(Stream& stream) {
  if (!captures().any) return;
  const Lock lock(captures().mutex);
  const auto capture = capture_of(stream);
  if (capture != nullptr) invalidate(*capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  if (stream.legacy) refuse_legacy(stream);
}

void refuse_captured(const Context& context) {
  if (!captures().any) return;
  const Lock lock(captures().mutex);
  for (const auto& capture : captures().all) {
    if (contains(context, *capture)) invalidate(*capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  }
}

void refuse_unsafe_call(const char* symbol) {
  if (!captures().any || thread_mode == relaxed) return;
  const auto is_meant = [&](const char* unsafe) { return std::strcmp(unsafe, symbol) == 0; };
  if (std::none_of(std::begin(unsafe_calls), std::end(unsafe_calls), is_meant)) return;
  const Lock lock(captures().mutex);
  for (const auto& capture : captures().all) {
    const bool own = capture->thread == &thread_mark && capture->mode != relaxed;
    const bool everyones = capture->mode == global && thread_mode == global;
    if (own || everyones) invalidate(*capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  }
}

void forget_capture(Stream& stream) {
  if (!captures().any) return;
  const Lock lock(captures().mutex);
  const auto capture = capture_of(stream);
  if (capture == nullptr) return;
  capture->valid = false;
  if (capture->origin == &stream) {
    remove(capture);
    if (capture->owns_graph) graphs().remove(capture->handle);
  } else {
    capture->tails.erase(&stream);
  }
}

int exchange_capture_mode(int mode) {
  require(mode >= global && mode <= relaxed);
  return std::exchange(thread_mode, mode);
}

}  // namespace array_interface::cuda_simulator
