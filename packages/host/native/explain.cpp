#include "kernels/host/explain.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "explain.hpp"
#include "kernels/host/vectors/wide_vectors.hpp"
#include "napi/argument.hpp"

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

template <typename Number>
Napi::Value NumberOf(Napi::Env env, Number number) {
  return Napi::Number::New(env, static_cast<double>(number));
}

Napi::Value TextOf(Napi::Env env, std::string_view text) {
  return Napi::String::New(env, text.data(), text.size());
}

Napi::Value AxesOf(Napi::Env env, const TilesExplained& tiles) {
  Napi::Array axes = Napi::Array::New(env, tiles.axes.size());
  for (std::uint32_t index = 0; index < tiles.axes.size(); ++index) {
    const auto& [axis, side, place] = tiles.axes[index];
    Napi::Object object = Napi::Object::New(env);
    object["length"] = NumberOf(env, axis.length);
    object["destinationStride"] = NumberOf(env, axis.to);
    object["sourceStride"] = NumberOf(env, axis.from);
    object["side"] = NumberOf(env, side);
    axes[index] = object;
  }
  return axes;
}

/// The order of the axes: the axis that advances first comes first.
Napi::Value OrderOf(Napi::Env env, const TilesExplained& tiles) {
  Napi::Array order = Napi::Array::New(env, tiles.order.size());
  const auto count = static_cast<std::uint32_t>(tiles.order.size());
  for (std::uint32_t index = 0; index < count; ++index) {
    order[index] = NumberOf(env, tiles.order[count - 1 - index]);
  }
  return order;
}

Napi::Value ReadingOf(Napi::Env env, const TilesExplained& tiles) {
  Napi::Object reading = Napi::Object::New(env);
  reading["loop"] = TextOf(env, kLoops[static_cast<std::size_t>(tiles.loop)]);
  reading["length"] = NumberOf(env, tiles.length);
  reading["stride"] = NumberOf(env, tiles.stride);
  reading["columns"] = NumberOf(env, tiles.columns);
  reading["times"] = NumberOf(env, tiles.starts);
  reading["packs"] = Napi::Boolean::New(env, tiles.is_packed);
  return reading;
}

Napi::Value StepsOf(Napi::Env env, const TilesExplained& tiles) {
  Napi::Object steps = Napi::Object::New(env);
  steps["swapsSource"] = NumberOf(env, tiles.source_swap);
  steps["converts"] = Napi::Boolean::New(env, tiles.is_converted);
  steps["swapsDestination"] = NumberOf(env, tiles.swap);
  steps["repeats"] = NumberOf(env, tiles.repeats);
  return steps;
}

/// How tiles are written. Null if they are read straight into the destination.
Napi::Value WritingOf(Napi::Env env, const TilesExplained& tiles) {
  if (tiles.is_in_place) return env.Null();
  Napi::Object writing = Napi::Object::New(env);
  writing["rows"] = NumberOf(env, tiles.rows);
  writing["length"] = NumberOf(env, tiles.row);
  writing["contiguous"] = Napi::Boolean::New(env, tiles.is_contiguous);
  writing["pastCaches"] = Napi::Boolean::New(env, tiles.is_past_caches);
  return writing;
}

Napi::Value TilesOf(Napi::Env env, const TilesExplained& tiles) {
  Napi::Object object = Napi::Object::New(env);
  object["count"] = NumberOf(env, tiles.count);
  object["units"] = NumberOf(env, tiles.units);
  object["axes"] = AxesOf(env, tiles);
  object["order"] = OrderOf(env, tiles);
  object["reading"] = ReadingOf(env, tiles);
  object["steps"] = StepsOf(env, tiles);
  object["vectors"] = TextOf(env, has_wide_vectors() ? "AVX2" : "baseline");
  object["writing"] = WritingOf(env, tiles);
  return object;
}

}  // namespace

Napi::Value Explain(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::uint64_t threads = ReadSize(info[1], "threads");
  const StridedCopy copy = ReadPlan(info[0]);
  const Explanation explanation =
      explain(copy, static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, UINT32_MAX)));
  Napi::Object object = Napi::Object::New(env);
  object["way"] = TextOf(env, NameOf(explanation));
  object["unit"] = NumberOf(env, copy.unit);
  object["sourceUnit"] = NumberOf(env, copy.source_unit());
  object["pieces"] = NumberOf(env, explanation.pieces);
  object["pieceBytes"] = NumberOf(env, explanation.bytes);
  object["tiles"] = explanation.tiles ? TilesOf(env, *explanation.tiles) : env.Null();
  return object;
}

}  // namespace array_interface
