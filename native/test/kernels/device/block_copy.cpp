// Checks block_copy.cl as C++: how its tiles are cut, and the result of whole copies, or of parts
// of huge ones.
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

#include "kernels/emulator/run_blocks.hpp"
#include "kernels/launch/block_launch.hpp"
#include "kernels/launch/convert_arguments.hpp"
#include "kernels/launch/specialise.hpp"
#include "test/kernels/support/halves.hpp"
#include "test/support/check.hpp"
#define WIDE
#include "kernels/device/convert.h"
#include "kernels/device/shape.h"
#include "kernels/embedded.hpp"
#include "kernels/emulator/registry.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"

namespace ai = array_interface;

namespace {

u64 block_of_grid = 0;
u32 conversion_of_launch = 0;
#define CONVERSION conversion_of_launch
#include "kernels/device/block_copy.cl"

// the launches must assume what the kernel was compiled with
static_assert(THREADS == ai::cuda_block);
static_assert(TILE_BYTES == ai::block_tile_bytes);
static_assert(TURNED == ai::block_turned);
static_assert(PACKED_LOADS == ai::block_packed_loads);
static_assert(PACKED_STORES == ai::block_packed_stores);
static_assert((BYTES_16 | BYTES_16 << 8) == ai::block_bytes_16);
static_assert(BYTES_16 >= ai::element_type_count, "the code of no type");

/// How many copies use tiles, and how many of them each variant.
struct Counts {
  int tiles = 0;
  int turned = 0;
  int packed_loads = 0;
  int packed_stores = 0;
};

/// Every tile fits, and together they contain every unit.
void check_tiles(const ai::BlockCopy& made, std::uint32_t unit, std::uint64_t units) {
  const ai::TilePair& pair = made.pair;
  CHECK(pair.pitch >= pair.columns && pair.pitch * pair.rows * unit <= ai::block_tile_bytes);
  CHECK(std::uint64_t{pair.across} * pair.columns >= static_cast<std::uint64_t>(pair.wide));
  CHECK(std::uint64_t{pair.down} * pair.rows >= static_cast<std::uint64_t>(pair.high));
  CHECK(ai::unit_count(made.around) * static_cast<std::uint64_t>(pair.wide * pair.high) == units);
}

/// Runs the copy as the emulator of the registry does, if it uses tiles.
void check_layout(Layout& layout, Counts& counts) {
  const auto made = ai::block_copy_of(layout.copy, 1024);
  if (!made) return;
  counts.tiles += 1;
  counts.turned += (made->pair.flags & ai::block_turned) != 0;
  counts.packed_loads += (made->pair.flags & ai::block_packed_loads) != 0;
  counts.packed_stores += (made->pair.flags & ai::block_packed_stores) != 0;
  check_tiles(*made, layout.copy.source_unit(), ai::unit_count(layout.copy));
  const auto found = ai::find_host_module(ai::specialise(ai::block_copy_ptx, made->conversion));
  const ai::HostKernel* kernel =
      found.module == nullptr ? nullptr : ai::find_host_kernel(*found.module, "block_copy");
  CHECK(kernel != nullptr && found.conversion == made->conversion);
  if (kernel == nullptr) return;
  const Subject named(text_of(layout.copy));
  const auto expected = copied_naively(layout);
  const auto to = touched_naively(layout.copy, layout.copy.destination_strides, layout.copy.unit);
  ai::for_each_block_launch(*made, [&](ai::BlockArguments& launch) {
    auto pointers = launch.cuda_arguments();
    const auto extents = kernel->extents(pointers.data(), found.conversion);
    CHECK(extents[0].low == to.low && extents[0].high == to.high && extents[0].written);
    kernel->run(pointers.data(), found.conversion);
  });
  CHECK(layout.destination == expected);
}

/// Transposes and channels of small units, dense or with rows at multiples of 4 bytes.
Layout random_words(std::mt19937& random) {
  const std::uint32_t unit = 1u << random() % 2;
  const std::int64_t size = unit;
  const auto below = [&](std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random);
  };
  const std::int64_t high = below(2) == 0 ? 2 + below(4) : 20 + below(200);
  const std::int64_t wide = 400 + below(400);
  const std::int64_t gap = random() % 2 == 0 ? 0 : -(high * size) & 3;
  Layout layout;
  layout.copy = {
      nullptr, nullptr, unit, {wide, high}, {size * high + gap, size}, {size, size * wide}};
  if (random() % 2 == 0) {
    std::swap(layout.copy.destination_strides, layout.copy.source_strides);
  }
  layout.destination.resize(static_cast<std::size_t>((high + 4) * (wide + 4) * size));
  layout.source.resize(layout.destination.size());
  for (unsigned char& byte : layout.source) byte = static_cast<unsigned char>(random());
  layout.source_origin = random() % 3 == 0 ? size : 0;
  layout.copy.destination = layout.destination.data();
  layout.copy.source = layout.source.data() + layout.source_origin;
  return layout;
}

void check_random() {
  std::mt19937 random = random_of(9);
  Counts counts;
  for (int round = 0; round < rounds(1500); ++round) {
    Layout layout = random_permutation(random, 1u << random() % 5);
    check_layout(layout, counts);
  }
  for (int round = 0; round < rounds(300); ++round) {
    Layout layout = random_words(random);
    check_layout(layout, counts);
  }
  for (int round = 0; round < rounds(1500); ++round) {
    const ai::Conversion conversion{ai::ElementType(random() % 15), ai::ElementType(random() % 15),
                                    random() % 2 == 0, random() % 2 == 0, random() % 2 == 0};
    Layout layout = random_permutation(random, conversion);
    check_layout(layout, counts);
  }
  CHECK(counts.tiles > rounds(500) && counts.turned > rounds(300));
  CHECK(counts.packed_loads > rounds(100) && counts.packed_stores > rounds(100));
}

ai::StridedCopy transpose(void* to, const void* from, std::uint32_t unit, std::int64_t high,
                          std::int64_t wide) {
  const std::int64_t size = unit;
  return {to, from, unit, {high, wide}, {wide * size, size}, {size, high * size}};
}

/// How the copy is cut. Returns empty tiles if it does not use them.
ai::BlockCopy made_of(const ai::StridedCopy& copy) {
  const auto made = ai::block_copy_of(copy);
  return made ? *made : ai::BlockCopy{0, copy, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}};
}

/// Common layouts, and the variant that each of them uses.
void check_choice() {
  alignas(16) static unsigned char bytes[16];
  const ai::TilePair square = made_of(transpose(bytes, bytes, 4, 4032, 4096)).pair;
  CHECK(square.columns == 64 && square.rows == 64 && square.pitch == 65);
  CHECK(square.across == 64 && square.down == 63 && square.flags == ai::block_turned);

  // 4096 x 5461 pixels of three channels, to channels first: dense words on both sides
  constexpr std::uint32_t packed =
      ai::block_turned | ai::block_packed_loads | ai::block_packed_stores;
  const std::int64_t pixels = std::int64_t{4096} * 5461;
  const ai::TilePair channels = made_of(transpose(bytes, bytes, 1, 3, pixels)).pair;
  CHECK(channels.rows == 3 && channels.columns > 5000 && channels.flags == packed);
  const ai::TilePair back = made_of(transpose(bytes, bytes, 1, pixels, 3)).pair;
  CHECK(back.columns == 3 && back.rows > 4000 && back.flags == packed);

  // a frame of 1920 x 1080 pixels of three channels, to floats and with its channels reversed
  const std::int64_t frame = std::int64_t{1920} * 1080;
  ai::StridedCopy floats{bytes, bytes, 4, {frame * 3}, {4}, {1}};
  floats.conversion = ai::Conversion{ai::ElementType::kUint8, ai::ElementType::kFloat32};
  const ai::TilePair dense = made_of(floats).pair;
  CHECK(dense.columns == 12032 && dense.flags == ai::block_packed_loads);
  const ai::TilePair flipped = made_of({bytes, bytes, 1, {frame, 3}, {3, 1}, {3, -1}}).pair;
  CHECK(flipped.columns == 3 && flipped.rows == 3968 && flipped.flags == ai::block_packed_stores);

  // a row stride, or an address, that is not a multiple of 4 bytes
  CHECK(made_of(transpose(bytes, bytes, 1, 300, 301)).pair.flags ==
        (ai::block_turned | ai::block_packed_loads));
  CHECK(made_of(transpose(bytes, bytes + 1, 1, 300, 300)).pair.flags ==
        (ai::block_turned | ai::block_packed_stores));

  CHECK(!ai::block_copy_of(transpose(bytes, bytes, 4, 100, 100)));
  const ai::StridedCopy rows{bytes, bytes, 16, {500, 600}, {9600, 16}, {0, 16}};
  CHECK(!ai::block_copy_of(rows));
  ai::StridedCopy complex = transpose(bytes, bytes, 8, 400, 400);
  complex.conversion =
      ai::Conversion{ai::ElementType::kComplex64, ai::ElementType::kComplex64, true, false};
  CHECK(!ai::block_copy_of(complex));
}

void run_block(const ai::BlockArguments& arguments, std::uint64_t block) {
  const ai::KernelArguments& layout = arguments.layout;
  const ai::TilePair& pair = arguments.pair;
  const auto& n = layout.lengths;
  const auto& d = layout.destination_strides;
  const auto& s = layout.source_strides;
  block_of_grid = block;
  block_copy(static_cast<unsigned char*>(layout.destination),
             static_cast<const unsigned char*>(layout.source), layout.count, layout.rank, n[0],
             n[1], n[2], n[3], n[4], n[5], d[0], d[1], d[2], d[3], d[4], d[5], s[0], s[1], s[2],
             s[3], s[4], s[5], pair.wide, pair.high, pair.to_column, pair.to_row, pair.from_column,
             pair.from_row, pair.columns, pair.rows, pair.across, pair.down, pair.pitch,
             pair.flags);
}

/// A mapping that uses physical memory only where it is written.
struct Sparse {
  explicit Sparse(std::int64_t bytes)
      : size(static_cast<std::size_t>(bytes)),
        start(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~Sparse() { munmap(start, size); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  unsigned char* bytes() const { return static_cast<unsigned char*>(start); }

  std::size_t size;
  void* start;
};

/// More than 2^32 elements, transposed: single blocks of the launch, the first, the last and some
/// between.
void check_huge() {
  constexpr std::int64_t wide = (1 << 17) + 5;
  constexpr std::int64_t high = (1 << 16) + 3;
  static_assert(wide * high > std::int64_t{1} << 33, "beyond 32 bits");
  const Sparse from(wide * high);
  const Sparse to(wide * high);
  CHECK(from.start != MAP_FAILED && to.start != MAP_FAILED);
  if (from.start == MAP_FAILED || to.start == MAP_FAILED) return;
  const ai::BlockCopy made = made_of(transpose(to.start, from.start, 1, high, wide));
  conversion_of_launch = made.conversion;
  std::mt19937 random = random_of(10);
  int launches = 0;
  CHECK(made.pair.columns == 128 && made.pair.rows == 128);
  if (made.pair.columns == 0) return;
  ai::for_each_block_launch(made, [&](ai::BlockArguments& launch) {
    ++launches;
    CHECK(launch.blocks() == std::uint64_t{1025} * 513);
    for (const std::uint64_t block : {std::uint64_t{0}, launch.blocks() - 1, launch.blocks() - 2,
                                      std::uint64_t{random() % launch.blocks()}}) {
      const auto column = static_cast<std::int64_t>(block % 1025) * 128;
      const auto row = static_cast<std::int64_t>(block / 1025) * 128;
      const auto right = std::min(column + 128, wide);
      const auto bottom = std::min(row + 128, high);
      const auto value = [](std::int64_t x, std::int64_t y) {
        return static_cast<unsigned char>(x * 7 + y * 31 + 1);
      };
      for (std::int64_t x = column; x < right; ++x) {
        for (std::int64_t y = row; y < bottom; ++y) from.bytes()[x * high + y] = value(x, y);
      }
      run_block(launch, block);
      int wrong = 0;
      for (std::int64_t x = column; x < right; ++x) {
        for (std::int64_t y = row; y < bottom; ++y) {
          wrong += to.bytes()[y * wide + x] != value(x, y);
        }
      }
      CHECK(wrong == 0);
    }
  });
  CHECK(launches == 1);
}

/// Copies of more blocks than one launch has, which are not run: each launch begins where the one
/// before ended.
void check_many_blocks() {
  alignas(16) static unsigned char bytes[16];
  const std::int64_t side = 1 << 12;
  const std::int64_t square = side * side;
  const std::int64_t many = std::int64_t{1} << 22;
  const ai::StridedCopy copy{
      bytes, bytes, 1, {many, side, side}, {square, side, 1}, {square, 1, side}};
  const ai::BlockCopy made = made_of(copy);
  CHECK(made.pair.tiles() == 1024);
  if (made.pair.tiles() == 0) return;
  std::uint64_t squares = 0;
  ai::for_each_block_launch(made, [&](ai::BlockArguments& launch) {
    CHECK(launch.blocks() <= ai::block_limit);
    CHECK(launch.layout.destination == bytes + static_cast<std::int64_t>(squares) * square);
    squares += launch.layout.count;
  });
  CHECK(squares == static_cast<std::uint64_t>(many));
  // a pair of axes that has too many tiles by itself
  const std::int64_t long_side = std::int64_t{1} << 24;
  CHECK(!ai::block_copy_of(
      {bytes, bytes, 1, {long_side, long_side}, {long_side, 1}, {1, long_side}}));
}

/// Launches that must not run on the host's memory are refused: those with a wrong size or number
/// of tiles, by which the kernel divides, and those with tiles beyond the shared memory.
void check_refusals() {
  alignas(16) static unsigned char bytes[16];
  const ai::BlockCopy made = made_of(transpose(bytes, bytes, 4, 200, 200));
  const auto found = ai::find_host_module(ai::specialise(ai::block_copy_ptx, made.conversion));
  CHECK(found.module != nullptr);
  if (found.module == nullptr) return;
  const ai::HostKernel& kernel = found.module->kernels[0];
  const ai::BlockArguments good{{bytes, bytes, 1, 0, {}, {}, {}}, made.pair};
  const auto refused = [&](ai::BlockArguments launch, std::uint32_t code) {
    auto pointers = launch.cuda_arguments();
    return !refusal([&] { kernel.extents(pointers.data(), code); }).empty();
  };
  CHECK(!refused(good, made.conversion) && refused(good, ai::any_conversion));
  for (std::uint32_t ai::TilePair::*field :
       {&ai::TilePair::columns, &ai::TilePair::rows, &ai::TilePair::across, &ai::TilePair::down}) {
    for (const std::uint32_t value : {0u, 1u, 0xffffffffu}) {
      ai::BlockArguments launch = good;
      launch.pair.*field = value;
      CHECK(refused(launch, made.conversion));
    }
  }
  ai::BlockArguments launch = good;
  launch.pair.pitch = 63;
  CHECK(refused(launch, made.conversion));
  launch.pair.pitch = 67;
  CHECK(refused(launch, made.conversion));
  // addresses that are not aligned to words of 4 bytes
  const ai::StridedCopy even = transpose(bytes, bytes, 1, 200, 200);
  const ai::BlockCopy packed = made_of(even);
  launch = {{bytes, bytes, 1, 0, {}, {}, {}}, packed.pair};
  CHECK(launch.pair.flags == 7 && !refused(launch, packed.conversion));
  launch.layout.source = bytes + 2;
  CHECK(refused(launch, packed.conversion));
  launch.pair.flags &= ~ai::block_packed_loads;
  CHECK(!refused(launch, packed.conversion));
  launch.layout.destination = bytes + 1;
  CHECK(refused(launch, packed.conversion));
  const std::string other = std::string(ai::specialise(ai::block_copy_ptx, 5)) + "\n";
  CHECK(ai::find_host_module(other).module == nullptr);
}

/// Each tile has its own block, with the number of threads that the kernel was written for.
void check_grids() {
  alignas(16) static unsigned char bytes[16];
  const ai::BlockCopy made = made_of(transpose(bytes, bytes, 4, 200, 200));
  const auto found = ai::find_host_module(ai::specialise(ai::block_copy_ptx, made.conversion));
  CHECK(found.module != nullptr);
  if (found.module == nullptr) return;
  ai::BlockArguments launch{{bytes, bytes, 1, 0, {}, {}, {}}, made.pair};
  const auto refused = [&](const ai::LaunchSize& grid, const ai::LaunchSize& block) {
    auto pointers = launch.cuda_arguments();
    const auto check = found.module->kernels[0].check_grid;
    return !refusal([&] { check(pointers.data(), grid, block); }).empty();
  };
  const auto blocks = static_cast<std::uint32_t>(launch.blocks());
  CHECK(blocks == 16);
  CHECK(!refused({blocks, 1, 1}, {256, 1, 1}) && !refused({blocks + 1, 1, 1}, {256, 1, 1}));
  CHECK(refused({blocks - 1, 1, 1}, {256, 1, 1}) && refused({1, blocks, 1}, {256, 1, 1}));
  CHECK(refused({blocks, 1, 1}, {128, 2, 1}) && refused({blocks, 1, 1}, {512, 1, 1}));
}

}  // namespace

void check_block_copy() {
  check_halves("kernels", [](double value) {
    return static_cast<std::uint16_t>(word_of_double(value, FLOAT16, 0u));
  });
  check_choice();
  check_random();
  check_huge();
  check_many_blocks();
  check_refusals();
  check_grids();
}
