import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folderOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const built = folderOf('build');

/**
 * Folder with `libcuda.so.1` and `libcuda.so`, for `LD_LIBRARY_PATH`: the checkout's own build, or
 * what the package has for this processor. No trailing slash.
 */
export const libraryFolder: string = existsSync(`${built}/libcuda.so.1`)
  ? built
  : folderOf(`prebuilds/linux-${process.arch}`);

/**
 * The simulator's driver library, for `ARRAY_INTERFACE_LIBCUDA` or `dlopen`. Linux with glibc only,
 * on x64 and arm64; elsewhere there is no such file. Importing this module loads nothing.
 */
export const libraryPath: string = `${libraryFolder}/libcuda.so.1`;
