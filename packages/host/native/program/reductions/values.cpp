#include "values.hpp"

#include <algorithm>
#include <cstring>

#include "poison.hpp"

namespace array_interface {

namespace {

constexpr std::size_t kAlignment = 64;
/// The values of an accumulator take about so many chunks, of which little is touched for a short
/// array.
constexpr std::size_t kChunks = 8;

}  // namespace

ValueMemory::ValueMemory(std::size_t chunk)
    : block_(kChunks * chunk * sizeof(double)), memory_(block_.get(), block_.size(), &Scratch()) {}

Values ValueMemory::New(std::size_t count, const std::vector<ValueType>& types) {
  Values made;
  for (const ValueType type : types) {
    const std::size_t bytes = count * SizeOf(type);
    auto* const start = static_cast<std::byte*>(memory_.allocate(bytes + kRedZone, kAlignment));
    Poison(start + bytes, kRedZone);
    made.push_back(start);
  }
  return made;
}

void CopyValues(const std::vector<ValueType>& types, const Values& to, std::size_t at,
                ConstValues from, std::size_t start, std::size_t count) {
  for (std::size_t index = 0; index < types.size(); ++index) {
    const std::size_t size = SizeOf(types[index]);
    std::memmove(to[index] + at * size, from[index] + start * size, count * size);
  }
}

void Repeat(std::byte* values, std::size_t size, std::size_t count) {
  for (std::size_t done = size; done < count * size;) {
    const std::size_t more = std::min(done, count * size - done);
    std::memcpy(values + done, values, more);
    done += more;
  }
}

void PlaceValues(const Reduction& reduction, ProgramCall& call, std::size_t set, ConstValues from,
                 std::size_t at, std::uint64_t first) {
  const std::size_t count = reduction.types.size();
  for (std::size_t index = 0; index < call.arrays.size(); ++index) {
    const std::size_t place = call.program->arrays[index].place;
    if (place < reduction.parameters + set * count) continue;
    const std::size_t own = place - reduction.parameters - set * count;
    if (own >= count) continue;
    // Nothing writes there.
    call.arrays[index].base = const_cast<std::byte*>(from[own] + at * SizeOf(reduction.types[own]));
    call.arrays[index].first = first;
  }
}

}  // namespace array_interface
