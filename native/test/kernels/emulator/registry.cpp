#include "kernels/emulator/registry.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "kernels/embedded.hpp"
#include "kernels/host/copy.hpp"
#include "kernels/launch/convert_arguments.hpp"
#include "kernels/launch/kernel_arguments.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/specialise.hpp"
#include "test/kernels/sections.hpp"
#include "test/kernels/support/layout.hpp"
#include "test/kernels/support/random.hpp"
#include "test/support/check.hpp"

namespace ai = array_interface;

namespace {

constexpr std::uint32_t units[] = {1, 2, 4, 8, 16};

/// The module contains each kernel, with as many parameters as KernelArguments has fields.
void check_modules() {
  const std::string ptx = ai::strided_copy_ptx;
  for (const std::uint32_t unit : units) {
    const std::string name = ai::kernel_name(unit);
    CHECK(ptx.find(".visible .entry " + name + "(") != std::string::npos);
    CHECK(ptx.find(".param .u64 " + name + "_param_21\n") != std::string::npos);
    CHECK(ptx.find(".param .u32 " + name + "_param_3,") != std::string::npos);
    CHECK(ptx.find(name + "_param_22") == std::string::npos);
  }
}

void check_lookup() {
  const ai::HostModule* module = ai::find_host_module(ai::strided_copy_ptx).module;
  CHECK(module != nullptr && module->kernel_count == 5);
  CHECK(ai::find_host_module(std::string(ai::strided_copy_ptx) + " ").module == nullptr);
  for (const std::uint32_t unit : units) {
    const ai::HostKernel* kernel = ai::find_host_kernel(*module, ai::kernel_name(unit));
    CHECK(kernel != nullptr && kernel->argument_count == 22);
    if (kernel == nullptr) continue;
    CHECK(kernel->argument_sizes[0] == 8 && kernel->argument_sizes[3] == 4);
  }
  CHECK(ai::find_host_kernel(*module, "strided_copy_3") == nullptr);
}

void check_stand_ins() {
  const ai::HostModule& module = *ai::find_host_module(ai::strided_copy_ptx).module;
  std::mt19937 random = random_of(2);
  for (std::size_t rank = 0; rank <= 9; ++rank) {
    for (const std::uint32_t unit : units) {
      const ai::HostKernel& kernel = *ai::find_host_kernel(module, ai::kernel_name(unit));
      for (int round = 0; round < rounds(100); ++round) {
        Layout layout = random_layout(random, rank, unit, round % 2 == 0);
        const auto expected = copied_naively(layout);
        ai::for_each_launch(layout.copy, [&](ai::KernelArguments& launch) {
          auto pointers = launch.cuda_arguments();
          void** arguments = pointers.data();
          const auto extents = kernel.extents(arguments, 0);
          CHECK(extents[0].pointer == launch.destination && extents[0].written);
          CHECK(extents[1].pointer == launch.source && !extents[1].written);
          CHECK(extents[0].argument == 0 && extents[1].argument == 1);
          if (rank <= 6) {
            const auto to =
                touched_naively(layout.copy, layout.copy.destination_strides, layout.copy.unit);
            const auto from =
                touched_naively(layout.copy, layout.copy.source_strides, layout.copy.unit);
            CHECK(extents[0].low == to.low && extents[0].high == to.high);
            CHECK(extents[1].low == from.low && extents[1].high == from.high);
          }
          kernel.run(arguments, 0);
        });
        CHECK(layout.destination == expected);
      }
    }
  }
}

void check_refusals() {
  const ai::HostModule& module = *ai::find_host_module(ai::strided_copy_ptx).module;
  const ai::HostKernel& kernel = *ai::find_host_kernel(module, "strided_copy_4");
  const auto refused = [&](ai::KernelArguments launch) {
    auto pointers = launch.cuda_arguments();
    return refusal([&] { kernel.extents(pointers.data(), 0); });
  };
  ai::KernelArguments launch;
  launch.count = 6;
  launch.rank = 2;
  launch.lengths = {2, 3, 0, 0, 0, 0};  // lengths beyond the rank are not read
  CHECK(refused(launch).empty());
  const ai::KernelArguments good = launch;
  launch.count = 7;
  CHECK(refused(launch).find("count of 6") != std::string::npos);
  launch.lengths = {1 << 16, 1 << 15, 0, 0, 0, 0};
  launch.count = 1u << 31;
  CHECK(refused(launch).find("2^31") != std::string::npos);
  launch = good;
  launch.rank = 3;
  CHECK(refused(launch).find("0 on axis 2") != std::string::npos);
  launch.rank = 7;
  CHECK(refused(launch).find("rank of 0 to 6, got 7") != std::string::npos);
  launch.rank = -1;
  CHECK(refused(launch).find("got -1") != std::string::npos);
  launch = good;
  launch.source_strides[1] = INT64_MAX;
  CHECK(refused(launch).find("63 bits") != std::string::npos);
  launch.count = 0;  // reads and writes nothing
  CHECK(refused(launch).empty());
}

void check_arguments() {
  int destination = 0;
  ai::KernelArguments launch;
  launch.destination = &destination;
  launch.source = &launch;
  launch.count = 5;
  launch.rank = 6;
  for (std::size_t axis = 0; axis < 6; ++axis) {
    launch.lengths[axis] = static_cast<std::int64_t>(axis) + 4;
    launch.destination_strides[axis] = static_cast<std::int64_t>(axis) + 10;
    launch.source_strides[axis] = -static_cast<std::int64_t>(axis) - 16;
  }
  const auto dpctl = launch.dpctl_arguments();
  constexpr auto types = ai::KernelArguments::dpctl_types();
  CHECK(dpctl[0] == &destination && dpctl[1] == &launch && types[0] == 10 && types[1] == 10);
  CHECK(*static_cast<std::uint64_t*>(dpctl[2]) == 5 && types[2] == 7);
  CHECK(*static_cast<std::int32_t*>(dpctl[3]) == 6 && types[3] == 4);
  for (std::size_t index = 4; index < 22; ++index) {
    const auto value = static_cast<std::int64_t>(index);
    CHECK(*static_cast<std::int64_t*>(dpctl[index]) == (index < 16 ? value : -value));
    CHECK(types[index] == 6);
  }
  const auto cuda = launch.cuda_arguments();
  const auto again = ai::KernelArguments::from_cuda(cuda.data());
  CHECK(again.destination == &destination && again.source == &launch && again.rank == 6);
  CHECK(again.lengths == launch.lengths && again.source_strides == launch.source_strides);
}

/// Conversions of random bits from every type to every other have the same result in the kernel and
/// in the host's own code.
void check_convert() {
  const ai::HostModule* module = ai::find_host_module(ai::convert_ptx).module;
  const ai::HostKernel* kernel = module == nullptr ? nullptr : &module->kernels[0];
  CHECK(kernel != nullptr && kernel->name == std::string("convert"));
  std::mt19937 random = random_of(6);
  for (std::uint32_t pair = 0; pair < 225; ++pair) {
    for (std::uint32_t flags = 0; flags < 8; ++flags) {
      const ai::Conversion conversion{ai::ElementType(pair % 15), ai::ElementType(pair / 15),
                                      (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0};
      const std::vector<std::int64_t> to{static_cast<std::int64_t>(size_of(conversion.to))};
      const std::vector<std::int64_t> from{static_cast<std::int64_t>(size_of(conversion.from))};
      std::vector<unsigned char> source(static_cast<std::size_t>(500 * from[0]));
      for (unsigned char& byte : source) byte = static_cast<unsigned char>(random());
      std::vector<unsigned char> expected(static_cast<std::size_t>(500 * to[0]));
      std::vector<unsigned char> converted = expected;
      ai::StridedCopy copy{expected.data(), source.data(), size_of(conversion.to), {500}, to, from,
                           conversion};
      const Subject named(text_of(copy));
      ai::strided_copy(copy);
      copy.destination = converted.data();
      ai::for_each_launch(copy, [&](ai::KernelArguments& launch) {
        ai::ConvertArguments values{launch, ai::conversion_code(conversion)};
        auto pointers = values.cuda_arguments();
        const auto extents = kernel->extents(pointers.data(), 0);
        CHECK(extents[0].low == 0 && extents[0].high == 500 * to[0]);
        CHECK(extents[1].low == 0 && extents[1].high == 500 * from[0]);
        kernel->run(pointers.data(), 0);
      });
      CHECK(converted == expected);
    }
  }
  ai::KernelArguments none;
  for (const std::uint32_t code : {15u, 15u << 8, 8u << 16, 0xffffffffu}) {
    ai::ConvertArguments values{none, code};
    auto pointers = values.cuda_arguments();
    CHECK(refusal([&] { kernel->extents(pointers.data(), 0); }).find("conversion") !=
          std::string::npos);
  }
}

/// The constants that are specialised occur in the module once; AXES only if the kernel has it.
void check_specialise(const ai::SpirvModule& module, const std::string& kernel,
                      std::ptrdiff_t axes) {
  const auto words = ai::specialise(module, 0x01020304, 0x05060708, 0x090a0b0c);
  CHECK(words[0] == 0x07230203);
  CHECK(std::count(words.begin(), words.end(), 0x01020304) == 1);
  CHECK(std::count(words.begin(), words.end(), 0x05060708) == 1);
  CHECK(std::count(words.begin(), words.end(), 0x090a0b0c) == axes);
  const std::string bytes(reinterpret_cast<const char*>(words.data()), words.size() * 4);
  CHECK(bytes.find(kernel + '\0') != std::string::npos);
}

void check_specialise() {
  check_specialise(ai::row_copy_spirv, "row_copy", 1);
  check_specialise(ai::row_copy_without_doubles_spirv, "row_copy", 1);
  check_specialise(ai::tile_copy_spirv, "tile_copy", 0);
  check_specialise(ai::tile_copy_without_doubles_spirv, "tile_copy", 0);
}

}  // namespace

void check_registry() {
  check_modules();
  check_lookup();
  check_stand_ins();
  check_convert();
  check_specialise();
  check_refusals();
  check_arguments();
}
