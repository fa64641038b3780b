#include "kernels/host/explain.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

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

/// Makes the JavaScript values of one explanation.
class Maker {
 public:
  explicit Maker(Napi::Env env) : env_(env) {}

  Napi::Value Make(const StridedCopy& copy, const Explanation& explanation) const {
    return Object({{"way", Text(NameOf(explanation))},
                   {"unit", Number(copy.unit)},
                   {"sourceUnit", Number(copy.source_unit())},
                   {"pieces", Number(explanation.pieces)},
                   {"pieceBytes", Number(explanation.bytes)},
                   {"tiles", explanation.tiles ? Tiles(*explanation.tiles) : env_.Null()}});
  }

 private:
  using Properties = std::initializer_list<std::pair<const char*, Napi::Value>>;

  Napi::Value Object(const Properties& properties) const {
    Napi::Object object = Napi::Object::New(env_);
    for (const auto& [name, value] : properties) object[name] = value;
    return object;
  }

  template <typename Count>
  Napi::Value Number(Count count) const {
    return Napi::Number::New(env_, static_cast<double>(count));
  }

  Napi::Value Flag(bool flag) const { return Napi::Boolean::New(env_, flag); }

  Napi::Value Text(std::string_view text) const {
    return Napi::String::New(env_, text.data(), text.size());
  }

  static std::string_view NameOf(const Explanation& explanation) {
    if (explanation.tiles) return explanation.tiles->tiling.is_runs() ? "runs" : "tiles";
    return explanation.way == Way::kRun ? "memcpy" : "nothing";
  }

  Napi::Value Tiles(const TilesExplained& tiles) const {
    const Tiling& tiling = tiles.tiling;
    const Steps& steps = tiles.steps;
    const Reading& reading = tiles.largest.reading;
    return Object(
        {{"count", Number(tiling.tiles())},
         {"units", Number(tiling.units())},
         {"axes", Axes(tiling)},
         {"order", Order(tiling)},
         {"reading", Object({{"loop", Text(kLoops[static_cast<std::size_t>(reading.loop)])},
                             {"length", Number(reading.length)},
                             {"stride", Number(reading.stride)},
                             {"columns", Number(reading.width)},
                             {"times", Number(reading.starts.size())},
                             {"packs", Flag(tiles.is_packed())}})},
         {"steps", Object({{"swapsSource", Number(steps.source_swap)},
                           {"converts", Flag(steps.convert != nullptr)},
                           {"swapsDestination", Number(steps.swap)},
                           {"repeats", Number(steps.repeats)}})},
         {"vectors", Text(has_wide_vectors() ? "AVX2" : "baseline")},
         {"writing", Writing(tiles)}});
  }

  Napi::Value Axes(const Tiling& tiling) const {
    Napi::Array axes = Napi::Array::New(env_);
    for (const auto& [axis, side, place] : tiling.axes()) {
      axes[axes.Length()] = Object({{"length", Number(axis.length)},
                                    {"destinationStride", Number(axis.to)},
                                    {"sourceStride", Number(axis.from)},
                                    {"side", Number(side)}});
    }
    return axes;
  }

  /// The order of the axes: the axis that advances first comes first.
  Napi::Value Order(const Tiling& tiling) const {
    Napi::Array order = Napi::Array::New(env_);
    for (auto axis = tiling.order().rbegin(); axis != tiling.order().rend(); ++axis) {
      order[order.Length()] = Number(*axis);
    }
    return order;
  }

  /// How tiles are written. Null if they are read straight into the destination.
  Napi::Value Writing(const TilesExplained& tiles) const {
    const Scatter* const scatter = tiles.largest.scatter.get();
    if (scatter == nullptr) return env_.Null();
    return Object({{"rows", Number(scatter->rows())},
                   {"length", Number(scatter->length())},
                   {"contiguous", Flag(scatter->is_contiguous())},
                   {"pastCaches", Flag(tiles.is_past_caches())}});
  }

  Napi::Env env_;
};

}  // namespace

Napi::Value Explain(const Napi::CallbackInfo& info) {
  const std::uint64_t threads = ReadSize(info[1], "threads");
  const StridedCopy copy = ReadPlan(info[0]);
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, UINT32_MAX));
  return Maker(info.Env()).Make(copy, explain(copy, most));
}

}  // namespace array_interface
