import { libraryPath } from '@array-interface/cuda-simulator';

// Names the driver before it is loaded: tests of a library need no GPU.
process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath;
