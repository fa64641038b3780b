import { libraryFolder, libraryPath } from '@array-interface/cuda-simulator';

export const environment: Record<string, string> = {
  LD_LIBRARY_PATH: libraryFolder,
  ARRAY_INTERFACE_LIBCUDA: libraryPath,
};
// @ts-expect-error: a string
export const path: URL = libraryPath;
