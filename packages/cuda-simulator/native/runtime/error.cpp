#include "state.hpp"

using namespace array_interface::cuda_runtime;

namespace {

struct Row {
  int number;
  const char* name;
  const char* text = nullptr;  ///< what it means, if the driver has no such error
};

constexpr Row rows[] = {
    {0, "cudaSuccess"},
    {1, "cudaErrorInvalidValue"},
    {2, "cudaErrorMemoryAllocation"},
    {3, "cudaErrorInitializationError"},
    {4, "cudaErrorCudartUnloading"},
    {5, "cudaErrorProfilerDisabled"},
    {6, "cudaErrorProfilerNotInitialized"},
    {7, "cudaErrorProfilerAlreadyStarted"},
    {8, "cudaErrorProfilerAlreadyStopped"},
    {9, "cudaErrorInvalidConfiguration",
     "a grid or block has a size that the device cannot launch"},
    {10, "cudaErrorVersionTranslation",
     "the kernel or the data is of a version that this one cannot read"},
    {12, "cudaErrorInvalidPitchValue", "invalid pitch"},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {16, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    {17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {18, "cudaErrorInvalidTexture", "invalid texture"},
    {19, "cudaErrorInvalidTextureBinding", "the texture is not bound as this call needs"},
    {20, "cudaErrorInvalidChannelDescriptor", "invalid description of channels"},
    {21, "cudaErrorInvalidMemcpyDirection", "invalid direction of a copy"},
    {22, "cudaErrorAddressOfConstant", "the address of a constant was taken"},
    {23, "cudaErrorTextureFetchFailed", "a texture could not be read"},
    {24, "cudaErrorTextureNotBound", "a texture is not bound"},
    {25, "cudaErrorSynchronizationError", "a wait failed"},
    {26, "cudaErrorInvalidFilterSetting", "a filter of textures does not suit the format"},
    {27, "cudaErrorInvalidNormSetting", "normalised reads do not suit the format of the texture"},
    {28, "cudaErrorMixedDeviceExecution", "code of a device and code that imitates one are mixed"},
    {31, "cudaErrorNotYetImplemented", "not yet implemented"},
    {32, "cudaErrorMemoryValueTooLarge", "a size in memory is too large"},
    {34, "cudaErrorStubLibrary"},
    {35, "cudaErrorInsufficientDriver",
     "the driver is of an earlier version than the runtime library needs"},
    {36, "cudaErrorCallRequiresNewerDriver"},
    {37, "cudaErrorInvalidSurface", "invalid surface"},
    {43, "cudaErrorDuplicateVariableName", "two variables have the same name"},
    {44, "cudaErrorDuplicateTextureName", "two textures have the same name"},
    {45, "cudaErrorDuplicateSurfaceName", "two surfaces have the same name"},
    {46, "cudaErrorDevicesUnavailable"},
    {49, "cudaErrorIncompatibleDriverContext",
     "the current context is not one that the runtime library can use"},
    {52, "cudaErrorMissingConfiguration", "a kernel was called without a configuration"},
    {53, "cudaErrorPriorLaunchFailure", "an earlier launch failed"},
    {65, "cudaErrorLaunchMaxDepthExceeded",
     "a kernel launched kernels too deep inside one another"},
    {66, "cudaErrorLaunchFileScopedTex", "a kernel launched by a kernel uses textures of a file"},
    {67, "cudaErrorLaunchFileScopedSurf", "a kernel launched by a kernel uses surfaces of a file"},
    {68, "cudaErrorSyncDepthExceeded", "a kernel waits for kernels too deep inside one another"},
    {69, "cudaErrorLaunchPendingCountExceeded", "a kernel launched more kernels than can wait"},
    {98, "cudaErrorInvalidDeviceFunction",
     "invalid device function: the simulator has only kernels that come as PTX"},
    {100, "cudaErrorNoDevice"},
    {101, "cudaErrorInvalidDevice"},
    {102, "cudaErrorDeviceNotLicensed"},
    {103, "cudaErrorSoftwareValidityNotEstablished", "the driver was not found to be valid"},
    {127, "cudaErrorStartupFailure", "the runtime library could not start"},
    {200, "cudaErrorInvalidKernelImage"},
    {201, "cudaErrorDeviceUninitialized"},
    {205, "cudaErrorMapBufferObjectFailed"},
    {206, "cudaErrorUnmapBufferObjectFailed"},
    {207, "cudaErrorArrayIsMapped"},
    {208, "cudaErrorAlreadyMapped"},
    {209, "cudaErrorNoKernelImageForDevice"},
    {210, "cudaErrorAlreadyAcquired"},
    {211, "cudaErrorNotMapped"},
    {212, "cudaErrorNotMappedAsArray"},
    {213, "cudaErrorNotMappedAsPointer"},
    {214, "cudaErrorECCUncorrectable"},
    {215, "cudaErrorUnsupportedLimit"},
    {216, "cudaErrorDeviceAlreadyInUse"},
    {217, "cudaErrorPeerAccessUnsupported"},
    {218, "cudaErrorInvalidPtx"},
    {219, "cudaErrorInvalidGraphicsContext"},
    {220, "cudaErrorNvlinkUncorrectable"},
    {221, "cudaErrorJitCompilerNotFound"},
    {222, "cudaErrorUnsupportedPtxVersion"},
    {223, "cudaErrorJitCompilationDisabled"},
    {224, "cudaErrorUnsupportedExecAffinity"},
    {225, "cudaErrorUnsupportedDevSideSync"},
    {226, "cudaErrorContained"},
    {227, "cudaErrorInsufficientLoaderVersion",
     "the loader of the driver is of an earlier version than needed"},
    {300, "cudaErrorInvalidSource"},
    {301, "cudaErrorFileNotFound"},
    {302, "cudaErrorSharedObjectSymbolNotFound"},
    {303, "cudaErrorSharedObjectInitFailed"},
    {304, "cudaErrorOperatingSystem"},
    {400, "cudaErrorInvalidResourceHandle"},
    {401, "cudaErrorIllegalState"},
    {402, "cudaErrorLossyQuery"},
    {500, "cudaErrorSymbolNotFound"},
    {600, "cudaErrorNotReady"},
    {700, "cudaErrorIllegalAddress"},
    {701, "cudaErrorLaunchOutOfResources"},
    {702, "cudaErrorLaunchTimeout"},
    {703, "cudaErrorLaunchIncompatibleTexturing"},
    {704, "cudaErrorPeerAccessAlreadyEnabled"},
    {705, "cudaErrorPeerAccessNotEnabled"},
    {708, "cudaErrorSetOnActiveProcess"},
    {709, "cudaErrorContextIsDestroyed"},
    {710, "cudaErrorAssert"},
    {711, "cudaErrorTooManyPeers"},
    {712, "cudaErrorHostMemoryAlreadyRegistered"},
    {713, "cudaErrorHostMemoryNotRegistered"},
    {714, "cudaErrorHardwareStackError"},
    {715, "cudaErrorIllegalInstruction"},
    {716, "cudaErrorMisalignedAddress"},
    {717, "cudaErrorInvalidAddressSpace"},
    {718, "cudaErrorInvalidPc"},
    {719, "cudaErrorLaunchFailure"},
    {720, "cudaErrorCooperativeLaunchTooLarge"},
    {721, "cudaErrorTensorMemoryLeak"},
    {800, "cudaErrorNotPermitted"},
    {801, "cudaErrorNotSupported"},
    {802, "cudaErrorSystemNotReady"},
    {803, "cudaErrorSystemDriverMismatch"},
    {804, "cudaErrorCompatNotSupportedOnDevice"},
    {805, "cudaErrorMpsConnectionFailed"},
    {806, "cudaErrorMpsRpcFailure"},
    {807, "cudaErrorMpsServerNotReady"},
    {808, "cudaErrorMpsMaxClientsReached"},
    {809, "cudaErrorMpsMaxConnectionsReached"},
    {810, "cudaErrorMpsClientTerminated"},
    {811, "cudaErrorCdpNotSupported"},
    {812, "cudaErrorCdpVersionMismatch"},
    {900, "cudaErrorStreamCaptureUnsupported"},
    {901, "cudaErrorStreamCaptureInvalidated"},
    {902, "cudaErrorStreamCaptureMerge"},
    {903, "cudaErrorStreamCaptureUnmatched"},
    {904, "cudaErrorStreamCaptureUnjoined"},
    {905, "cudaErrorStreamCaptureIsolation"},
    {906, "cudaErrorStreamCaptureImplicit"},
    {907, "cudaErrorCapturedEvent"},
    {908, "cudaErrorStreamCaptureWrongThread"},
    {909, "cudaErrorTimeout"},
    {910, "cudaErrorGraphExecUpdateFailure"},
    {911, "cudaErrorExternalDevice"},
    {912, "cudaErrorInvalidClusterSize"},
    {913, "cudaErrorFunctionNotLoaded"},
    {914, "cudaErrorInvalidResourceType"},
    {915, "cudaErrorInvalidResourceConfiguration"},
    {917, "cudaErrorStreamDetached", "the stream is detached from its context"},
    {918, "cudaErrorGraphRecaptureFailure", "a graph could not be captured again"},
    {919, "cudaErrorFabricNotReady", "the fabric between devices is not ready"},
    {999, "cudaErrorUnknown"},
};

constexpr char unknown[] = "unrecognized error code";

const Row* find(int error) {
  for (const Row& row : rows) {
    if (row.number == error) return &row;
  }
  return nullptr;
}

}  // namespace

CUDART_EXPORT cudaGetLastError() { return last_error(true); }

CUDART_EXPORT cudaPeekAtLastError() { return last_error(false); }

extern "C" __attribute__((visibility("default"))) const char* cudaGetErrorName(int error) {
  const Row* const row = find(error);
  return row == nullptr ? unknown : row->name;
}

/// For a fault of a kernel the driver adds where it was.
extern "C" __attribute__((visibility("default"))) const char* cudaGetErrorString(int error) {
  const char* text = nullptr;
  cuGetErrorString(static_cast<CUresult>(error), &text);
  if (text != nullptr) return text;
  const Row* const row = find(error);
  return row == nullptr || row->text == nullptr ? unknown : row->text;
}
