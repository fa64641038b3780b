import { libraryPath } from '@array-interface/cuda-simulator';

/**
 * The CUDA backend on the simulator, whose streams run on their own threads, as a device's do. Its
 * figures say nothing about a GPU.
 */
export async function simulatedCuda() {
  process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath;
  process.env.CUDA_SIMULATOR_SCHEDULE ??= 'eager';
  const { cuda } = await import('@array-interface/cuda');
  return cuda;
}
