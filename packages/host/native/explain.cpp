#include "kernels/host/explain.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "explain.hpp"
#include "kernels/host/vectors/wide_vectors.hpp"
#include "napi/argument.hpp"
#include "napi/object.hpp"
#include "napi/plan.hpp"

namespace array_interface {

namespace {

/// The loops' names, in the order of Loop.
constexpr std::string_view kLoops[] = {
    "runs",           "repeated",    "backwards",   "every second", "every second backwards",
    "strided",        "into pixels", "from pixels", "turned",       "turned every second",
    "turned strided", "gathered"};
static_assert(std::size(kLoops) == static_cast<std::size_t>(Loop::kGathered) + 1);

std::string_view NameOf(const Explanation& explanation) {
  if (explanation.tiles) return explanation.tiles->tiling.is_runs() ? "runs" : "tiles";
  return explanation.way == Way::kRun ? "memcpy" : "nothing";
}

Napi::Value AxesOf(Napi::Env env, const Tiling& tiling) {
  Napi::Array axes = Napi::Array::New(env);
  for (const auto& [axis, side, place] : tiling.axes()) {
    axes[axes.Length()] = MakeObject(env, {
                                              {"length", axis.length},
                                              {"destinationStride", axis.to},
                                              {"sourceStride", axis.from},
                                              {"side", side},
                                          });
  }
  return axes;
}

/// The order of the axes: the axis that advances first comes first.
Napi::Value OrderOf(Napi::Env env, const Tiling& tiling) {
  Napi::Array order = Napi::Array::New(env);
  for (auto axis = tiling.order().rbegin(); axis != tiling.order().rend(); ++axis) {
    order[order.Length()] = static_cast<double>(*axis);
  }
  return order;
}

Napi::Value ReadingOf(Napi::Env env, const TilesExplained& tiles) {
  const Reading& reading = tiles.largest.reading;
  return MakeObject(env, {
                             {"loop", kLoops[static_cast<std::size_t>(reading.loop)]},
                             {"length", reading.length},
                             {"stride", reading.stride},
                             {"columns", reading.width},
                             {"times", reading.starts.size()},
                             {"packs", tiles.is_packed()},
                         });
}

Napi::Value StepsOf(Napi::Env env, const Steps& steps) {
  return MakeObject(env, {
                             {"swapsSource", steps.source_swap},
                             {"converts", steps.convert != nullptr},
                             {"swapsDestination", steps.swap},
                             {"repeats", steps.repeats},
                         });
}

/// How tiles are written. Null if they are read straight into the destination.
Napi::Value WritingOf(Napi::Env env, const TilesExplained& tiles) {
  const Scatter* const scatter = tiles.largest.scatter.get();
  if (scatter == nullptr) return env.Null();
  return MakeObject(env, {
                             {"rows", scatter->rows()},
                             {"length", scatter->length()},
                             {"contiguous", scatter->is_contiguous()},
                             {"pastCaches", tiles.is_past_caches()},
                         });
}

Napi::Value TilesOf(Napi::Env env, const TilesExplained& tiles) {
  const Tiling& tiling = tiles.tiling;
  return MakeObject(env, {
                             {"count", tiling.tiles()},
                             {"units", tiling.units()},
                             {"axes", AxesOf(env, tiling)},
                             {"order", OrderOf(env, tiling)},
                             {"reading", ReadingOf(env, tiles)},
                             {"steps", StepsOf(env, tiles.steps)},
                             {"vectors", has_wide_vectors() ? "AVX2" : "baseline"},
                             {"writing", WritingOf(env, tiles)},
                         });
}

}  // namespace

Napi::Value Explain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::uint64_t threads = ReadSize(info[1], "threads");
  const StridedCopy copy = ReadPlan(info[0]);
  const Explanation explanation =
      explain(copy, static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, UINT32_MAX)));
  return MakeObject(
      env, {
               {"way", NameOf(explanation)},
               {"unit", copy.unit},
               {"sourceUnit", copy.source_unit()},
               {"pieces", explanation.pieces},
               {"pieceBytes", explanation.bytes},
               {"tiles", explanation.tiles ? TilesOf(env, *explanation.tiles) : env.Null()},
           });
}

}  // namespace array_interface
