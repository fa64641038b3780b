#include "driver/kernels.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "driver/context.hpp"
#include "driver/driver.hpp"
#include "driver/kernel_builder.hpp"
#include "sections.hpp"
#include "test/support/check.hpp"

using namespace array_interface::cuda;

namespace {

constexpr int kThreads = 4;
constexpr int kConversions = 200;

/// Asks for everything, as copies of one thread do.
void Use(Kernels& kernels) {
  kernels.Prepare();
  for (std::uint32_t conversion = 0; conversion < kConversions; ++conversion) {
    kernels.AskForBlocks(conversion);
    for (const std::uint32_t unit : {1u, 2u, 4u, 8u, 16u}) kernels.ForUnit(unit);
    kernels.ForNumbers();
    kernels.ForBlocks(conversion);
  }
}

void WaitForBuilds() {
  auto& builder = KernelBuilder::Instance();
  const auto asked = builder.posted();
  while (!builder.HasBuilt(asked)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

void check_kernels(int (*loads)()) {
  const Subject named("kernels that several threads ask for at once");
  Kernels& kernels = Context::Primary(0)->kernels();
  KernelBuilder::Instance().Enter();
  std::atomic<int> begun{0};
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      ++begun;
      while (begun < kThreads)
        std::this_thread::yield();  // so that none is done before all are here
      Use(kernels);
    });
  }
  for (auto& thread : threads) thread.join();
  WaitForBuilds();
  CHECK(loads() == kConversions + 2);  // each once
  for (std::uint32_t conversion = 0; conversion < kConversions; ++conversion) {
    CHECK(kernels.ForBlocks(conversion) != nullptr);
  }
  KernelBuilder::Instance().Leave();
}
