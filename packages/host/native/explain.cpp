#include "kernels/host/explain.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "explain.hpp"
#include "kernels/host/vectors/wide_vectors.hpp"
#include "napi/argument.hpp"
#include "napi/object.hpp"

namespace array_interface {

namespace {

/// The loops' names, in the order of Loop.
constexpr std::string_view kLoops[] = {
    "runs",          "repeated",    "backwards",   "every second", "every second backwards",
    "strided",       "into pixels", "from pixels", "turned",       "turned every second",
    "turned strided"};
static_assert(std::size(kLoops) == static_cast<std::size_t>(Loop::kTurnedStrided) + 1);

std::string_view NameOf(const Explanation& explanation) {
  if (explanation.tiles) return explanation.tiles->is_runs ? "runs" : "tiles";
  return explanation.way == Way::kRun ? "memcpy" : "nothing";
}

Napi::Value AxesOf(Napi::Env env, const TilesExplained& tiles) {
  Napi::Array axes = Napi::Array::New(env, tiles.axes.size());
  for (std::uint32_t index = 0; index < tiles.axes.size(); ++index) {
    const auto& [axis, side, place] = tiles.axes[index];
    axes[index] = MakeObject(env, {
                                      {"length", axis.length},
                                      {"destinationStride", axis.to},
                                      {"sourceStride", axis.from},
                                      {"side", side},
                                  });
  }
  return axes;
}

/// The order of the axes: the axis that advances first comes first.
Napi::Value OrderOf(Napi::Env env, const TilesExplained& tiles) {
  Napi::Array order = Napi::Array::New(env, tiles.order.size());
  const auto count = static_cast<std::uint32_t>(tiles.order.size());
  for (std::uint32_t index = 0; index < count; ++index) {
    order[index] = static_cast<double>(tiles.order[count - 1 - index]);
  }
  return order;
}

Napi::Value ReadingOf(Napi::Env env, const TilesExplained& tiles) {
  return MakeObject(env, {
                             {"loop", kLoops[static_cast<std::size_t>(tiles.loop)]},
                             {"length", tiles.length},
                             {"stride", tiles.stride},
                             {"columns", tiles.columns},
                             {"times", tiles.starts},
                             {"packs", tiles.is_packed},
                         });
}

Napi::Value StepsOf(Napi::Env env, const TilesExplained& tiles) {
  return MakeObject(env, {
                             {"swapsSource", tiles.source_swap},
                             {"converts", tiles.is_converted},
                             {"swapsDestination", tiles.swap},
                             {"repeats", tiles.repeats},
                         });
}

/// How tiles are written. Null if they are read straight into the destination.
Napi::Value WritingOf(Napi::Env env, const TilesExplained& tiles) {
  if (tiles.is_in_place) return env.Null();
  return MakeObject(env, {
                             {"rows", tiles.rows},
                             {"length", tiles.row},
                             {"contiguous", tiles.is_contiguous},
                             {"pastCaches", tiles.is_past_caches},
                         });
}

Napi::Value TilesOf(Napi::Env env, const TilesExplained& tiles) {
  return MakeObject(env, {
                             {"count", tiles.count},
                             {"units", tiles.units},
                             {"axes", AxesOf(env, tiles)},
                             {"order", OrderOf(env, tiles)},
                             {"reading", ReadingOf(env, tiles)},
                             {"steps", StepsOf(env, tiles)},
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
