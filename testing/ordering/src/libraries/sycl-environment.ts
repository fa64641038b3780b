import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findLibraries } from '@array-interface/sycl';

const folder =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] ||
  join(dirname(fileURLToPath(import.meta.resolve('@array-interface/sycl'))), '../build/Release');

/** The interposer between the backend and dpctl's library, which tests query about calls. */
export const interposerLibrary: string = join(folder, 'test/interposer.so');
export const interposerProbe: string = join(folder, 'test/interposer_probe.node');
/** The addon, which is queried for what the package does not export. */
export const syclAddon: string = join(folder, 'sycl.node');

/**
 * The environment of a process whose SYCL library is the interposer, in front of the library found
 * here. It lists one device as two. Freed memory stays inaccessible, so that each later use is a
 * fault.
 */
export function syclEnvironment(schedule: string): Record<string, string> {
  const { ARRAY_INTERFACE_INTERPOSER_LIBRARY: named } = process.env;
  const folders = [import.meta.dirname, process.cwd()];
  const real = named || [...findLibraries({ env: process.env, folders }, [])][0];
  return {
    ARRAY_INTERFACE_DPCTL_LIBRARY: interposerLibrary,
    ...(real !== undefined && { ARRAY_INTERFACE_INTERPOSER_LIBRARY: real }),
    ARRAY_INTERFACE_INTERPOSER_DEVICES: '2',
    ARRAY_INTERFACE_INTERPOSER_SCHEDULE: schedule,
    ARRAY_INTERFACE_INTERPOSER_FREED: 'kept',
  };
}
