import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isElevated, whyUntrusted } from '@array-interface/core/backend';
import { modulePath } from '../addon.js';
import type { Environment } from './find-library.js';
import { cacheOf } from './shared-runtime.js';

const require = createRequire(modulePath);

/**
 * The most bytes that all cached kernels take together. The least recently used are removed first.
 */
export const MOST_KEPT: number = 256 * 1024 * 1024;

/**
 * Returns the folder in the user's cache in which compiled SYCL kernels are kept for later
 * processes. Null if the user has no home folder. Never throws.
 */
export function kernelFolder(env: Environment): string | null {
  const cache = cacheOf(env);
  return cache === null ? null : join(cache, 'array-interface', 'sycl-kernels');
}

/**
 * Returns that folder, and creates it if it is missing. Returns `''` if no kernels are to be
 * cached: ARRAY_INTERFACE_KERNEL_CACHE is `0`, another user could change what is run from there,
 * the folder cannot be created, or this process has elevated privileges. The addon checks who owns
 * the folder itself. Never throws.
 */
export function ownKernelFolder(env: Environment): string {
  const folder = kernelFolder(env);
  if (folder === null || env['ARRAY_INTERFACE_KERNEL_CACHE'] === '0' || isElevated(require))
    return '';
  if (whyUntrusted(folder, require) !== null) return '';
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return ''; // read-only, full, or a file of that name exists
  }
  return whyUntrusted(folder, require) === null ? folder : '';
}
