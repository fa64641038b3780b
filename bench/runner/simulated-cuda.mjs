import { libraryPath } from '@array-interface/cuda-simulator';

/**
 * The CUDA backend on the simulator, whose streams run on threads of their own as a device's do. No
 * figure of it says anything about a GPU.
 */
export async function simulatedCuda() {
  process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath;
  process.env.CUDA_SIMULATOR_SCHEDULE ??= 'eager';
  const { cuda } = await import('@array-interface/cuda');
  return cuda;
}
