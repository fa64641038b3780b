import { fileURLToPath } from 'node:url';

/** Folder with `libcuda.so.1` and `libcuda.so`, for `LD_LIBRARY_PATH`. No trailing slash. */
export const libraryFolder: string = fileURLToPath(new URL('../build', import.meta.url));

/**
 * The simulator's driver library, for `ARRAY_INTERFACE_LIBCUDA` or `dlopen`. Linux only. The
 * package's build makes the file; importing this module loads nothing.
 */
export const libraryPath: string = fileURLToPath(new URL('../build/libcuda.so.1', import.meta.url));
