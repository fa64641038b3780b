#include "ipc/notify.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "driver/failure.hpp"
#include "napi/addon.hpp"

namespace array_interface::cuda {

namespace {

bool IsTold(Block& block) {
  const std::unique_lock order(block.tracker().mutex(), std::try_to_lock);
  // The thread that holds the mutex may be waiting for the driver.
  return order.owns_lock() && (block.peers() == nullptr || block.peers()->Tell());
}

PollResult Tell(std::vector<std::shared_ptr<Block>>& blocks) {
  try {
    const auto is_notified = [](const auto& block) { return IsTold(*block); };
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(), is_notified), blocks.end());
    return {blocks.empty(), std::nullopt};
  } catch (const DriverError& error) {
    return {true, ToFailure(error)};
  }
}

}  // namespace

Napi::Value NotifyPeers(Napi::Env env, const Enqueued& work, Uses uses) {
  if (work.is_notified) return env.Undefined();
  auto blocks = std::make_shared<std::vector<std::shared_ptr<Block>>>();
  for (std::size_t i = 0; i < uses.count; ++i) blocks->push_back(uses.first[i].ref->block());
  return Addon::Of(env).settler().Wait(env, [blocks] { return Tell(*blocks); });
}

}  // namespace array_interface::cuda
