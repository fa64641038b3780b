#include <vector>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/copy.hpp"
#include "work.hpp"

using namespace array_interface::cuda_simulator;
using Claim = Side::Claim;

namespace {

Side device(CUdeviceptr pointer) {
  return {static_cast<std::uintptr_t>(pointer), 0, Claim::device};
}

Side host(const void* pointer) {
  return {reinterpret_cast<std::uintptr_t>(pointer), 0, Claim::host};
}

/// For cuMemcpy and the peer copies. The address of each side determines its kind of memory.
Side any(CUdeviceptr pointer) { return {static_cast<std::uintptr_t>(pointer), 0, Claim::any}; }

CUresult copy_row(const char* symbol, const Side& destination, const Side& source, std::size_t size,
                  CUstream stream, Form form) {
  return context_call(symbol, [&](Context& context) {
    copy(*find_stream(stream, context), destination, source, size, 1, form);
  });
}

bool is_live(CUcontext handle) {
  const Context* const context = find_context(handle);
  return context != nullptr && context->active;
}

CUresult copy_peer(const char* symbol, CUdeviceptr destination, CUcontext to, CUdeviceptr source,
                   CUcontext from, std::size_t size, CUstream stream, Form form) {
  return context_call(symbol, [&](Context& context) {
    require(is_live(to) && is_live(from), CUDA_ERROR_INVALID_CONTEXT);
    const auto enqueue = [&] {
      copy(*find_stream(stream, context), device(destination), device(source), size, 1, form);
    };
    if (form == Form::asynchronous) return enqueue();
    in_order(context, to, from, enqueue);
  });
}

/// Returns one side of a 2-D copy, from its fields in CUDA_MEMCPY2D.
Side side_2d(unsigned type, const void* host_pointer, CUdeviceptr device_pointer, std::size_t x,
             std::size_t y, std::size_t pitch, std::size_t width, std::size_t rows) {
  Side side;
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      side = host(host_pointer);
      break;
    case CU_MEMORYTYPE_DEVICE:
      side = device(device_pointer);
      break;
    case CU_MEMORYTYPE_UNIFIED:
      side = any(device_pointer);
      break;
    default:
      throw Failure{CUDA_ERROR_INVALID_VALUE};  // there are no CUDA arrays here
  }
  std::size_t end = 0;
  std::size_t skipped = 0;
  require(!__builtin_add_overflow(x, width, &end) && (rows <= 1 || pitch >= end));
  require(!__builtin_mul_overflow(y, pitch, &skipped) &&
          !__builtin_add_overflow(skipped, x, &skipped) && skipped <= UINTPTR_MAX - side.address);
  side.address += skipped;
  side.pitch = pitch;
  return side;
}

CUresult copy_2d(const char* symbol, const CUDA_MEMCPY2D* plan, CUstream stream, Form form) {
  return context_call(symbol, [&](Context& context) {
    require(plan != nullptr);
    const Side source =
        side_2d(plan->srcMemoryType, plan->srcHost, plan->srcDevice, plan->srcXInBytes, plan->srcY,
                plan->srcPitch, plan->WidthInBytes, plan->Height);
    const Side destination =
        side_2d(plan->dstMemoryType, plan->dstHost, plan->dstDevice, plan->dstXInBytes, plan->dstY,
                plan->dstPitch, plan->WidthInBytes, plan->Height);
    copy(*find_stream(stream, context), destination, source, plan->WidthInBytes, plan->Height,
         form);
  });
}

/// One side of a 3-D copy: the side of a 2-D copy for each plane.
template <class Plan>
Side plane_of(const Plan& plan, bool destination, std::size_t z) {
  const bool to = destination;
  const std::size_t pitch = to ? plan.dstPitch : plan.srcPitch;
  const std::size_t height = to ? plan.dstHeight : plan.srcHeight;
  const std::size_t y = to ? plan.dstY : plan.srcY;
  const std::size_t plane = (to ? plan.dstZ : plan.srcZ) + z;
  std::size_t rows = 0;
  require(plan.Depth == 1 || height >= y + plan.Height);
  require(!__builtin_mul_overflow(plane, height, &rows) && !__builtin_add_overflow(rows, y, &rows));
  return side_2d(to ? plan.dstMemoryType : plan.srcMemoryType, to ? plan.dstHost : plan.srcHost,
                 to ? plan.dstDevice : plan.srcDevice, to ? plan.dstXInBytes : plan.srcXInBytes,
                 rows, pitch, plan.WidthInBytes, plane > 0 ? 2 : plan.Height);
}

void copy_box(Context& context, const CUDA_MEMCPY3D& plan, CUstream stream, Form form) {
  require(plan.srcLOD == 0 && plan.dstLOD == 0);
  const auto queue = find_stream(stream, context);
  for (std::size_t z = 0; z < plan.Depth; ++z) {
    const Side source = plane_of(plan, false, z);
    copy(*queue, plane_of(plan, true, z), source, plan.WidthInBytes, plan.Height, form);
  }
}

CUresult copy_3d(const char* symbol, const CUDA_MEMCPY3D* plan, CUstream stream, Form form) {
  return context_call(symbol, [&](Context& context) {
    require(plan != nullptr);
    copy_box(context, *plan, stream, form);
  });
}

}  // namespace

namespace array_interface::cuda_simulator {

void copy_planes(Context& context, const CUDA_MEMCPY3D& plan) {
  copy_box(context, plan, nullptr, Form::synchronous);
}

Work copy_of(const CUDA_MEMCPY3D& plan) {
  require(plan.srcLOD == 0 && plan.dstLOD == 0);
  std::vector<Work> planes;
  for (std::size_t z = 0; z < plan.Depth; ++z) {
    const Side source = plane_of(plan, false, z);
    if (Work work = copy_work(plane_of(plan, true, z), source, plan.WidthInBytes, plan.Height)) {
      planes.push_back(std::move(work));
    }
  }
  return [planes] {
    for (const Work& plane : planes) {
      const CUresult result = plane();
      if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
  };
}

}  // namespace array_interface::cuda_simulator

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* plan) {
  return copy_3d(__func__, plan, nullptr, Form::synchronous);
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* plan, CUstream stream) {
  return copy_3d(__func__, plan, stream, Form::asynchronous);
}

CUresult cuMemcpy(CUdeviceptr destination, CUdeviceptr source, std::size_t size) {
  return copy_row(__func__, any(destination), any(source), size, nullptr, Form::synchronous);
}

CUresult cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, std::size_t size,
                       CUstream stream) {
  return copy_row(__func__, any(destination), any(source), size, stream, Form::asynchronous);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr destination, const void* source, std::size_t size) {
  return copy_row(__func__, device(destination), host(source), size, nullptr, Form::synchronous);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr destination, const void* source, std::size_t size,
                              CUstream stream) {
  return copy_row(__func__, device(destination), host(source), size, stream, Form::asynchronous);
}

CUresult cuMemcpyDtoH_v2(void* destination, CUdeviceptr source, std::size_t size) {
  return copy_row(__func__, host(destination), device(source), size, nullptr, Form::synchronous);
}

CUresult cuMemcpyDtoHAsync_v2(void* destination, CUdeviceptr source, std::size_t size,
                              CUstream stream) {
  return copy_row(__func__, host(destination), device(source), size, stream, Form::asynchronous);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr destination, CUdeviceptr source, std::size_t size) {
  return copy_row(__func__, device(destination), device(source), size, nullptr, Form::synchronous);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr destination, CUdeviceptr source, std::size_t size,
                              CUstream stream) {
  return copy_row(__func__, device(destination), device(source), size, stream, Form::asynchronous);
}

CUresult cuMemcpyPeer(CUdeviceptr destination, CUcontext to, CUdeviceptr source, CUcontext from,
                      std::size_t size) {
  return copy_peer(__func__, destination, to, source, from, size, nullptr, Form::synchronous);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr destination, CUcontext to, CUdeviceptr source,
                           CUcontext from, std::size_t size, CUstream stream) {
  return copy_peer(__func__, destination, to, source, from, size, stream, Form::asynchronous);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* plan) {
  return copy_2d(__func__, plan, nullptr, Form::synchronous);
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* plan) {
  return copy_2d(__func__, plan, nullptr, Form::synchronous);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* plan, CUstream stream) {
  return copy_2d(__func__, plan, stream, Form::asynchronous);
}
