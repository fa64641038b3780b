#pragma once

#include <cstddef>
#include <cstring>

#include "kernels/host/convert/number.hpp"
#include "kernels/host/vectors/wide_vectors.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace array_interface {

#if defined(__x86_64__)

/// Converts halves to floats with F16C. Bit for bit the results of float_of().
FOR_WIDE_VECTORS inline void floats_of_halves(unsigned char* to, const unsigned char* from,
                                              std::size_t count) {
  std::size_t index = 0;
  const auto one_by_one = [&](std::size_t end) {
    for (; index < end; ++index) {
      Half half;
      std::memcpy(&half, from + index * sizeof half, sizeof half);
      const float result = float_of(half);
      std::memcpy(to + index * sizeof result, &result, sizeof result);
    }
  };
  while (index + 8 <= count) {
    const auto* const halves = reinterpret_cast<const __m128i*>(from + index * sizeof(Half));
    const __m256 floats = _mm256_cvtph_ps(_mm_loadu_si128(halves));
    if (_mm256_movemask_ps(_mm256_cmp_ps(floats, floats, _CMP_UNORD_Q)) != 0) {
      one_by_one(index + 8);  // a signalling NaN would become a quiet one
      continue;
    }
    _mm256_storeu_ps(reinterpret_cast<float*>(to + index * sizeof(float)), floats);
    index += 8;
  }
  one_by_one(count);
}

/// Converts floats to halves with F16C. Bit for bit the results of half_of_float().
FOR_WIDE_VECTORS inline void halves_of_floats(unsigned char* to, const unsigned char* from,
                                              std::size_t count) {
  constexpr int nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  std::size_t index = 0;
  for (; index + 8 <= count; index += 8) {
    const auto* const floats = reinterpret_cast<const float*>(from + index * sizeof(float));
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(floats), nearest);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + index * sizeof(Half)), halves);
  }
  for (; index < count; ++index) {
    float value;
    std::memcpy(&value, from + index * sizeof value, sizeof value);
    const Half half{half_of_float(value)};
    std::memcpy(to + index * sizeof half, &half, sizeof half);
  }
}

#endif

}  // namespace array_interface
