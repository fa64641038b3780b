#include <cstring>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "work.hpp"

// Several copies in one call, and copies with attributes. Each is the copy that it names: the
// attributes say how a device may read the source, which changes no result.

using namespace array_interface::cuda_simulator;

namespace {

constexpr std::size_t none = SIZE_MAX;

bool are_valid(const CUmemcpyAttributes* attributes, std::size_t count) {
  for (std::size_t index = 0; index < count; ++index) {
    if (attributes[index].srcAccessOrder < 1 || attributes[index].srcAccessOrder > 3) return false;
  }
  return true;
}

/// Enqueues copies until one fails, whose number is stored.
CUresult copy_rows(CUdeviceptr* to, CUdeviceptr* from, const std::size_t* sizes, std::size_t count,
                   const CUmemcpyAttributes* attributes, const std::size_t* indices,
                   std::size_t attribute_count, std::size_t* failed, CUstream stream) {
  if (failed != nullptr) *failed = none;
  const bool is_given = to != nullptr && from != nullptr && sizes != nullptr && count != 0 &&
                        attributes != nullptr && indices != nullptr && attribute_count != 0 &&
                        attribute_count <= count;
  if (!is_given || indices[0] != 0 || !are_valid(attributes, attribute_count)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  for (std::size_t index = 0; index < count; ++index) {
    const CUresult result = cuMemcpyAsync(to[index], from[index], sizes[index], stream);
    if (result == CUDA_SUCCESS) continue;
    if (failed != nullptr) *failed = index;
    return result;
  }
  return CUDA_SUCCESS;
}

constexpr int pointer_operand = 1;

/// Returns false for a side in a CUDA array.
bool is_pointer(const CUmemcpy3DOperand& operand) { return operand.type == pointer_operand; }

CUresult copy_box(const CUDA_MEMCPY3D_BATCH_OP& operation, CUstream stream) {
  if (!is_pointer(operation.src) || !is_pointer(operation.dst)) return CUDA_ERROR_NOT_SUPPORTED;
  const auto& [width, height, depth] = operation.extent;
  const auto& from = operation.src.op.ptr;
  const auto& to = operation.dst.op.ptr;
  CUDA_MEMCPY3D plan{};
  plan.srcMemoryType = plan.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  plan.srcDevice = from.ptr;
  plan.dstDevice = to.ptr;
  plan.srcPitch = from.rowLength == 0 ? width : from.rowLength;
  plan.dstPitch = to.rowLength == 0 ? width : to.rowLength;
  plan.srcHeight = from.layerHeight == 0 ? height : from.layerHeight;
  plan.dstHeight = to.layerHeight == 0 ? height : to.layerHeight;
  plan.WidthInBytes = width;
  plan.Height = height;
  plan.Depth = depth;
  return cuMemcpy3DAsync_v2(&plan, stream);
}

CUresult copy_boxes(std::size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, std::size_t* failed,
                    unsigned long long flags, CUstream stream) {
  if (failed != nullptr) *failed = none;
  if (count == 0 || operations == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t index = 0; index < count; ++index) {
    const CUresult result = copy_box(operations[index], stream);
    if (result == CUDA_SUCCESS) continue;
    if (failed != nullptr) *failed = index;
    return result;
  }
  return CUDA_SUCCESS;
}

/// A peer copy of boxes has the plan of any other, and the contexts. Addresses say where memory is.
CUDA_MEMCPY3D without_contexts(const CUDA_MEMCPY3D_PEER& plan) {
  static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof(CUDA_MEMCPY3D),
                "the contexts are where the other has its reserved fields");
  CUDA_MEMCPY3D copy;
  std::memcpy(&copy, &plan, sizeof copy);
  return copy;
}

}  // namespace

CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* sizes,
                            std::size_t count, CUmemcpyAttributes* attributes, std::size_t* indices,
                            std::size_t attribute_count, std::size_t* failed, CUstream stream) {
  return copy_rows(to, from, sizes, count, attributes, indices, attribute_count, failed, stream);
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* to, CUdeviceptr* from, std::size_t* sizes,
                               std::size_t count, CUmemcpyAttributes* attributes,
                               std::size_t* indices, std::size_t attribute_count, CUstream stream) {
  return copy_rows(to, from, sizes, count, attributes, indices, attribute_count, nullptr, stream);
}

CUresult cuMemcpyWithAttributesAsync(CUdeviceptr to, CUdeviceptr from, std::size_t size,
                                     CUmemcpyAttributes* attributes, CUstream stream) {
  std::size_t first = 0;
  return copy_rows(&to, &from, &size, 1, attributes, &first, 1, nullptr, stream);
}

CUresult cuMemcpy3DBatchAsync(std::size_t count, CUDA_MEMCPY3D_BATCH_OP* operations,
                              std::size_t* failed, unsigned long long flags, CUstream stream) {
  return copy_boxes(count, operations, failed, flags, stream);
}

CUresult cuMemcpy3DBatchAsync_v2(std::size_t count, CUDA_MEMCPY3D_BATCH_OP* operations,
                                 unsigned long long flags, CUstream stream) {
  return copy_boxes(count, operations, nullptr, flags, stream);
}

CUresult cuMemcpy3DWithAttributesAsync(CUDA_MEMCPY3D_BATCH_OP* operation, unsigned long long flags,
                                       CUstream stream) {
  return copy_boxes(1, operation, nullptr, flags, stream);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* plan) {
  if (plan == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D copy = without_contexts(*plan);
  return context_call(__func__, [&](Context& context) {
    auto* const from = static_cast<CUcontext>(plan->copy.reserved0);
    auto* const to = static_cast<CUcontext>(plan->copy.reserved1);
    in_order(context, to, from, [&] { copy_planes(context, copy); });
  });
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* plan, CUstream stream) {
  if (plan == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D copy = without_contexts(*plan);
  return cuMemcpy3DAsync_v2(&copy, stream);
}
