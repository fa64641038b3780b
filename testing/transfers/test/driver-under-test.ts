import { libraryPath } from '@array-interface/cuda-simulator';

// Names the driver before it is loaded; ARRAY_INTERFACE_TEST_GPU=1 leaves the choice to the machine.
if (process.env.ARRAY_INTERFACE_TEST_GPU !== '1') {
  process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath;
}
