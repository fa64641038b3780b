#pragma once

#include <memory>

#include "memory/allocation.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Memory of ours for JavaScript: { handle, pointer }.
Napi::Object MakeAllocation(Napi::Env env, std::shared_ptr<Allocation> memory);
Napi::Object MakeAllocation(Napi::Env env, std::unique_ptr<Block> block);

}  // namespace array_interface::cuda
