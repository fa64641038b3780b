import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folderOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const built = folderOf('build');

/**
 * The folder with `libcuda.so.1` and `libcuda.so`, for `LD_LIBRARY_PATH`: the checkout's own build,
 * or the package's binaries for this processor. Has no trailing slash. The files exist only on
 * Linux with glibc, on x64 and arm64.
 *
 * @example
 * ```ts
 * import { spawnSync } from 'node:child_process';
 * import { libraryFolder } from '@array-interface/cuda-simulator';
 *
 * const env = { ...process.env, LD_LIBRARY_PATH: libraryFolder };
 * spawnSync('python3', ['program.py'], { env, stdio: 'inherit' });
 * ```
 */
export const libraryFolder: string = existsSync(`${built}/libcuda.so.1`)
  ? built
  : folderOf(`prebuilds/linux-${process.arch}`);

/**
 * The path of the simulator's driver library, for `ARRAY_INTERFACE_LIBCUDA` or `dlopen`. The file
 * exists only on Linux with glibc, on x64 and arm64. Importing this module loads nothing.
 *
 * @example
 * ```ts
 * import { libraryPath } from '@array-interface/cuda-simulator';
 *
 * process.env['ARRAY_INTERFACE_LIBCUDA'] = libraryPath; // before the first use of `cuda`
 * ```
 */
export const libraryPath: string = `${libraryFolder}/libcuda.so.1`;
