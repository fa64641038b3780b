#pragma once

#include <memory>
#include <vector>

#include "napi/setup.hpp"
#include "order/point.hpp"
#include "work/cuda_point.hpp"

namespace array_interface::cuda {

/// A promise that settles when all points are reached. It rejects with the first failure of the
/// work before them, and where the driver does not say: ERR_CUDA. Holds no thread.
Napi::Value WaitFor(Napi::Env env, std::vector<std::shared_ptr<CudaPoint>> points);

/// A promise for points as the order of memory has them.
Napi::Value WaitFor(Napi::Env env, const Points& points);

}  // namespace array_interface::cuda
