import { libraryPath } from '@array-interface/cuda-simulator';

// Before the driver is loaded: without a GPU, CUDA is the simulator.
process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;
