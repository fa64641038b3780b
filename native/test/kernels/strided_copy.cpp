#include "kernels/strided_copy.hpp"

#include <cstdint>
#include <string>

#include "check.hpp"
#include "kernels/launch.hpp"
#include "sections.hpp"

using array_interface::for_each_launch;
using array_interface::KernelArguments;
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
    CHECK(refuses({bytes, bytes, unit, {}, {}, {}}, "unit 1, 2, 4, 8 or 16"));
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

void check_launches() {
  // Eight axes and one of length 1: the first two are looped over, the last six are launched.
  const StridedCopy copy{bytes,
                         bytes + 1,
                         1,
                         {2, 3, 1, 2, 2, 2, 2, 2, 4},
                         {1000, 100, 7, 6, 5, 4, 3, 2, 1},
                         {-1000, 0, 7, 1, 2, 3, 4, 5, 6}};
  std::vector<KernelArguments> launches;
  for_each_launch(copy, [&](const KernelArguments& launch) { launches.push_back(launch); });
  CHECK(launches.size() == 6);
  for (std::size_t index = 0; index < launches.size(); ++index) {
    const auto outer = static_cast<std::int64_t>(index);
    const KernelArguments& launch = launches[index];
    CHECK(launch.destination == bytes + outer / 3 * 1000 + outer % 3 * 100);
    CHECK(launch.source == bytes + 1 - outer / 3 * 1000);
    CHECK(launch.rank == 6 && launch.count == 128);
    CHECK((launch.lengths == std::array<std::int64_t, 6>{2, 2, 2, 2, 2, 4}));
    CHECK((launch.destination_strides == std::array<std::int64_t, 6>{6, 5, 4, 3, 2, 1}));
    CHECK((launch.source_strides == std::array<std::int64_t, 6>{1, 2, 3, 4, 5, 6}));
  }
  int count = 0;
  for_each_launch({bytes, bytes, 1, {2, 0}, {1, 1}, {1, 1}}, [&](KernelArguments&) { ++count; });
  CHECK(count == 0);
  for_each_launch({bytes, bytes, 8, {}, {}, {}}, [&](KernelArguments& launch) {
    ++count;
    CHECK(launch.rank == 0 && launch.count == 1);
  });
  CHECK(count == 1);
  CHECK(array_interface::cuda_grid(1) == 1 && array_interface::cuda_grid(257) == 2);
  CHECK(array_interface::cuda_grid(UINT64_MAX / 2) == 65535);
  CHECK(array_interface::sycl_items(7) == 7 && array_interface::sycl_items(1u << 30) == 4096);
}

}  // namespace

void check_strided_copy() {
  check_validation();
  check_alignment();
  check_launches();
}
