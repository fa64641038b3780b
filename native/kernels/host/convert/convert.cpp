#include "kernels/host/convert/convert.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>

#include "kernels/host/convert/halves.hpp"
#include "kernels/host/convert/number.hpp"
#include "kernels/host/vectors/wide_vectors.hpp"

namespace array_interface {
namespace {

/// In the order of ElementType.
using Numbers = std::tuple<Bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                           std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Half,
                           Bfloat16, float, double, Complex<float>, Complex<double>>;
static_assert(std::tuple_size_v<Numbers> == element_type_count);

/// Stores `convert(number)` for each number in `to`.
template <typename From, typename Convert>
inline void for_each_number(unsigned char* __restrict to, const unsigned char* __restrict from,
                            std::size_t count, const Convert& convert) {
  for (std::size_t index = 0; index < count; ++index) {
    From value;
    std::memcpy(&value, from + index * sizeof value, sizeof value);
    const auto result = convert(value);
    std::memcpy(to + index * sizeof result, &result, sizeof result);
  }
}

template <typename To, typename From>
inline void convert_each(unsigned char* to, const unsigned char* from, std::size_t count) {
  for_each_number<From>(to, from, count, [](From value) { return converted<To>(value); });
}

/// Whether all numbers are within the limits that truncated_within() needs.
template <typename Integer, typename Float>
inline bool are_within(const unsigned char* from, std::size_t count) {
  constexpr auto high = static_cast<Float>(within<Integer>);
  constexpr Float low = std::is_signed_v<Integer> ? -high : Float{-1};
  // As wide as the numbers, so that both fit the same vectors.
  std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t> outside = 0;
  for (std::size_t index = 0; index < count; ++index) {
    Float value;
    std::memcpy(&value, from + index * sizeof value, sizeof value);
    outside |= value > low && value < high ? 0 : 1;
  }
  return outside == 0;
}

/// Converts floats to integers, a few at a time: few are outside the integer range.
template <typename Integer, typename Float>
inline void truncate_each(unsigned char* to, const unsigned char* from, std::size_t count) {
  constexpr std::size_t at_once = 256;
  for (std::size_t start = 0; start < count; start += at_once) {
    const std::size_t some = std::min(at_once, count - start);
    unsigned char* const results = to + start * sizeof(Integer);
    const unsigned char* const values = from + start * sizeof(Float);
    if (!are_within<Integer, Float>(values, some)) {
      convert_each<Integer, Float>(results, values, some);
      continue;
    }
    for_each_number<Float>(results, values, some,
                           [](Float value) { return truncated_within<Integer>(value); });
  }
}

template <typename To, typename From>
inline void convert_some(unsigned char* to, const unsigned char* from, std::size_t count) {
  // For these types, truncated() compiles to faster vector code.
  constexpr bool has_vectors = sizeof(From) == 4 && std::is_same_v<To, std::uint32_t>;
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From> && !has_vectors) {
    truncate_each<To, From>(to, from, count);
  } else {
    convert_each<To, From>(to, from, count);
  }
}

// Not inlined, here and below: convert_rounded() would have a copy of each.
template <typename To, typename From>
[[gnu::noinline]] void convert_plain(unsigned char* to, const unsigned char* from,
                                     std::size_t count) {
  convert_some<To, From>(to, from, count);
}

#if defined(__x86_64__)

/// Intermediate floats between halves and other numbers stay in the L1 cache.
constexpr std::size_t floats_at_once = 1024;

/// Converts halves to other numbers except bools, via floats.
template <typename To>
inline void convert_halves(unsigned char* to, const unsigned char* from, std::size_t count) {
  unsigned char floats[floats_at_once * sizeof(float)];
  for (std::size_t start = 0; start < count; start += floats_at_once) {
    const std::size_t some = std::min(floats_at_once, count - start);
    floats_of_halves(floats, from + start * sizeof(Half), some);
    convert_some<To, float>(to + start * sizeof(To), floats, some);
  }
}

/// Converts to halves, via floats.
template <typename From>
inline void convert_to_halves(unsigned char* to, const unsigned char* from, std::size_t count) {
  unsigned char floats[floats_at_once * sizeof(float)];
  for (std::size_t start = 0; start < count; start += floats_at_once) {
    const std::size_t some = std::min(floats_at_once, count - start);
    for_each_number<From>(floats, from + start * sizeof(From), some,
                          [](From value) { return before_half(value); });
    halves_of_floats(to + start * sizeof(Half), floats, some);
  }
}

template <typename To, typename From>
[[gnu::noinline]] FOR_WIDE_VECTORS void convert_wide(unsigned char* to, const unsigned char* from,
                                                     std::size_t count) {
  if constexpr (std::is_same_v<To, Half>) {
    convert_to_halves<From>(to, from, count);
  } else if constexpr (std::is_same_v<From, Half> && std::is_same_v<To, float>) {
    floats_of_halves(to, from, count);
  } else if constexpr (std::is_same_v<From, Half> && !std::is_same_v<To, Bool>) {
    convert_halves<To>(to, from, count);
  } else {
    convert_some<To, From>(to, from, count);
  }
}

#else

template <typename To, typename From>
constexpr ConvertRun convert_wide = convert_plain<To, From>;

#endif

struct Converters {
  ConvertRun plain;
  ConvertRun wide;
};

template <std::size_t pair>
constexpr Converters converters_of() {
  using To = std::tuple_element_t<pair / element_type_count, Numbers>;
  using From = std::tuple_element_t<pair % element_type_count, Numbers>;
  if constexpr (std::is_same_v<To, From>) {
    return {nullptr, nullptr};
  } else {
    return {convert_plain<To, From>, convert_wide<To, From>};
  }
}

template <std::size_t... pairs>
constexpr std::array<Converters, sizeof...(pairs)> table(std::index_sequence<pairs...>) {
  return {converters_of<pairs>()...};
}

constexpr auto converters =
    table(std::make_index_sequence<element_type_count * element_type_count>{});

template <typename From>
inline void round_each(unsigned char* to, const unsigned char* from, std::size_t count) {
  for_each_number<From>(to, from, count, [](From value) { return rounded(value); });
}

template <typename From>
[[gnu::noinline]] void round_plain(unsigned char* to, const unsigned char* from,
                                   std::size_t count) {
  round_each<From>(to, from, count);
}

template <typename From>
[[gnu::noinline]] FOR_WIDE_VECTORS void round_wide(unsigned char* to, const unsigned char* from,
                                                   std::size_t count) {
  round_each<From>(to, from, count);
}

/// Rounds some numbers, which stay in the L1 cache, and converts these.
template <typename To, typename From, ConvertRun round, ConvertRun convert>
void convert_rounded(unsigned char* to, const unsigned char* from, std::size_t count) {
  constexpr std::size_t at_once = 1024;
  unsigned char whole[at_once * sizeof(Rounded<From>)];
  for (std::size_t start = 0; start < count; start += at_once) {
    const std::size_t some = std::min(at_once, count - start);
    round(whole, from + start * sizeof(From), some);
    convert(to + start * sizeof(To), whole, some);
  }
}

/// Converters that round, from floats to integers; none for other pairs.
template <std::size_t pair>
constexpr Converters rounding_converters_of() {
  using To = std::tuple_element_t<pair / element_type_count, Numbers>;
  using From = std::tuple_element_t<pair % element_type_count, Numbers>;
  using Float = Rounded<From>;
  constexpr bool is_float =
      is_complex<From> || is_short_float<From> || std::is_floating_point_v<From>;
  if constexpr (is_float && std::is_integral_v<To>) {
    return {convert_rounded<To, From, round_plain<From>, convert_plain<To, Float>>,
            convert_rounded<To, From, round_wide<From>, convert_wide<To, Float>>};
  } else {
    return {nullptr, nullptr};
  }
}

template <std::size_t... pairs>
constexpr std::array<Converters, sizeof...(pairs)> rounding_table(std::index_sequence<pairs...>) {
  return {rounding_converters_of<pairs>()...};
}

constexpr auto rounding_converters =
    rounding_table(std::make_index_sequence<element_type_count * element_type_count>{});

template <typename Word>
inline Word reversed(Word word) {
  if constexpr (sizeof(Word) == 2) return __builtin_bswap16(word);
  if constexpr (sizeof(Word) == 4) return __builtin_bswap32(word);
  if constexpr (sizeof(Word) == 8) return __builtin_bswap64(word);
}

template <typename Word>
inline void swap_each(unsigned char* to, const unsigned char* from, std::size_t count) {
  for_each_number<Word>(to, from, count, [](Word word) { return reversed(word); });
}

inline void swap_sized(unsigned char* to, const unsigned char* from, std::size_t size,
                       std::size_t count) {
  if (size == 2) swap_each<std::uint16_t>(to, from, count);
  if (size == 4) swap_each<std::uint32_t>(to, from, count);
  if (size == 8) swap_each<std::uint64_t>(to, from, count);
}

void swap_plain(unsigned char* to, const unsigned char* from, std::size_t size, std::size_t count) {
  swap_sized(to, from, size, count);
}

FOR_WIDE_VECTORS void swap_wide(unsigned char* to, const unsigned char* from, std::size_t size,
                                std::size_t count) {
  swap_sized(to, from, size, count);
}

}  // namespace

ConvertRun converter(ElementType to, ElementType from, bool rounds) noexcept {
  const std::size_t index =
      static_cast<std::size_t>(to) * element_type_count + static_cast<std::size_t>(from);
  const bool has_rounding = rounds && rounding_converters[index].plain != nullptr;
  const Converters& pair = has_rounding ? rounding_converters[index] : converters[index];
  return has_wide_vectors() ? pair.wide : pair.plain;
}

void swap_bytes(unsigned char* to, const unsigned char* from, std::size_t size,
                std::size_t count) noexcept {
  static const auto chosen = has_wide_vectors() ? swap_wide : swap_plain;
  chosen(to, from, size, count);
}

}  // namespace array_interface
