#include "driver/call.hpp"

using array_interface::cuda_simulator::driver_call;
using array_interface::cuda_simulator::Failure;

// Names that programs link against, but few call: CUDA arrays, textures and surfaces, graphics, and
// launches of the first interface. They return CUDA_ERROR_NOT_SUPPORTED, and cuGetProcAddress does
// not find them.
#define CUDA_SIMULATOR_UNSUPPORTED(ROW)      \
  ROW(cuArray3DCreate_v2)                    \
  ROW(cuArray3DGetDescriptor_v2)             \
  ROW(cuArrayCreate_v2)                      \
  ROW(cuArrayDestroy)                        \
  ROW(cuArrayGetDescriptor_v2)               \
  ROW(cuFuncSetSharedSize)                   \
  ROW(cuGraphicsMapResources)                \
  ROW(cuGraphicsResourceGetMappedPointer_v2) \
  ROW(cuGraphicsSubResourceGetMappedArray)   \
  ROW(cuGraphicsUnmapResources)              \
  ROW(cuGraphicsUnregisterResource)          \
  ROW(cuLaunch)                              \
  ROW(cuLaunchGrid)                          \
  ROW(cuLaunchGridAsync)                     \
  ROW(cuMemcpy3DPeer)                        \
  ROW(cuMemcpy3DPeerAsync)                   \
  ROW(cuMemcpyAtoA_v2)                       \
  ROW(cuMemcpyAtoD_v2)                       \
  ROW(cuMemcpyAtoH_v2)                       \
  ROW(cuMemcpyDtoA_v2)                       \
  ROW(cuMemcpyHtoA_v2)                       \
  ROW(cuModuleGetSurfRef)                    \
  ROW(cuModuleGetTexRef)                     \
  ROW(cuParamSetSize)                        \
  ROW(cuParamSetTexRef)                      \
  ROW(cuParamSetf)                           \
  ROW(cuParamSeti)                           \
  ROW(cuParamSetv)                           \
  ROW(cuSurfRefGetArray)                     \
  ROW(cuSurfRefSetArray)                     \
  ROW(cuTexRefCreate)                        \
  ROW(cuTexRefDestroy)                       \
  ROW(cuTexRefGetAddressMode)                \
  ROW(cuTexRefGetAddress_v2)                 \
  ROW(cuTexRefGetArray)                      \
  ROW(cuTexRefGetFilterMode)                 \
  ROW(cuTexRefGetFlags)                      \
  ROW(cuTexRefGetFormat)                     \
  ROW(cuTexRefSetAddress2D_v3)               \
  ROW(cuTexRefSetAddressMode)                \
  ROW(cuTexRefSetAddress_v2)                 \
  ROW(cuTexRefSetArray)                      \
  ROW(cuTexRefSetFilterMode)                 \
  ROW(cuTexRefSetFlags)                      \
  ROW(cuTexRefSetFormat)

// The result is the same for all arguments, so the functions declare none.
#pragma GCC visibility push(default)
extern "C" {
#define ROW(symbol)                                                               \
  CUresult symbol();                                                              \
  CUresult symbol() {                                                             \
    return driver_call(#symbol, [] { throw Failure{CUDA_ERROR_NOT_SUPPORTED}; }); \
  }
CUDA_SIMULATOR_UNSUPPORTED(ROW)
#undef ROW
}
#pragma GCC visibility pop
