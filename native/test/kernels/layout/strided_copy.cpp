#include "kernels/layout/strided_copy.hpp"

#include <cstdint>
#include <string>

#include "test/kernels/sections.hpp"
#include "test/support/check.hpp"

using array_interface::require_alignment;
using array_interface::StridedCopy;
using array_interface::validate;

namespace {

alignas(16) unsigned char bytes[64];

bool refuses(const StridedCopy& copy, const char* part) {
  return refusal([&] { validate(copy); }).find(part) != std::string::npos;
}

void check_validation() {
  for (const std::uint32_t unit : {0u, 3u, 5u, 6u, 12u, 32u, 0x80000000u}) {
    CHECK(refuses({bytes, bytes, unit, {}, {}, {}}, "unit of 1, 2, 4, 8 or 16"));
  }
  const std::vector<std::int64_t> many(65, 1);
  CHECK(refuses({bytes, bytes, 1, many, many, many}, "at most 64 axes"));
  CHECK(refuses({bytes, bytes, 1, {2, 2}, {2, 1}, {1}}, "2 strides for each side"));
  CHECK(refuses({bytes, bytes, 1, {2}, {2, 1}, {1}}, "1 strides for each side"));
  CHECK(refuses({bytes, bytes, 1, {2, -1}, {2, 1}, {2, 1}}, "-1 on axis 1"));
  CHECK(refuses({bytes, bytes, 1, {0, -1}, {2, 1}, {2, 1}}, "-1 on axis 1"));
  CHECK(refuses({nullptr, bytes, 1, {2}, {1}, {1}}, "null destination"));
  CHECK(refuses({bytes, nullptr, 1, {2}, {1}, {1}}, "null source"));
  CHECK(refuses({bytes, bytes, 1, {INT64_MAX, 2}, {0, 0}, {0, 0}}, "2^63 units"));
  CHECK(refuses({bytes, bytes, 1, {3}, {INT64_MAX}, {1}}, "destinationStrides"));
  CHECK(refuses({bytes, bytes, 1, {2, 2}, {1, 1}, {INT64_MIN, INT64_MIN}}, "sourceStrides"));
  CHECK(refuses({bytes, bytes, 1, {2}, {INT64_MAX}, {1}}, "destinationStrides"));
  validate({nullptr, nullptr, 1, {0, INT64_MAX, INT64_MAX}, {1, 1, 1}, {1, 1, 1}});
  validate({bytes, bytes, 16, {1}, {INT64_MAX}, {INT64_MIN}});
}

void check_alignment() {
  const auto refuses_alignment = [](const StridedCopy& copy) {
    return !refusal([&] { require_alignment(copy); }).empty();
  };
  CHECK(!refuses_alignment({bytes, bytes + 8, 8, {2}, {8}, {-8}}));
  CHECK(refuses_alignment({bytes + 4, bytes, 8, {2}, {8}, {8}}));
  CHECK(refuses_alignment({bytes, bytes + 4, 8, {2}, {8}, {8}}));
  CHECK(refuses_alignment({bytes, bytes, 8, {2}, {12}, {8}}));
  CHECK(refuses_alignment({bytes, bytes, 8, {2}, {8}, {-12}}));
  CHECK(!refuses_alignment({bytes, bytes, 8, {1}, {12}, {3}}));
  CHECK(!refuses_alignment({bytes + 1, bytes, 8, {0}, {8}, {8}}));
  CHECK(!refuses_alignment({bytes + 1, bytes, 1, {3}, {7}, {5}}));
}

}  // namespace

void check_strided_copy() {
  check_validation();
  check_alignment();
}
