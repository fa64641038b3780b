import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isElevated, whyUntrusted } from '@array-interface/core/backend';
import { modulePath } from '../addon.js';
import type { Environment } from './find-library.js';
import { cacheOf } from './shared-runtime.js';

const require = createRequire(modulePath);

/** Bytes that all kept kernels take together at most; those that were not used for longest go. */
export const MOST_KEPT: number = 256 * 1024 * 1024;

/**
 * The folder in which compiled SYCL kernels are kept for later processes, in the user's cache. Null
 * where the user has no home folder. Never throws.
 */
export function kernelFolder(env: Environment): string | null {
  const cache = cacheOf(env);
  return cache === null ? null : join(cache, 'array-interface', 'sycl-kernels');
}

/**
 * That folder, made where it is missing; `''` where nothing is to be kept: ARRAY_INTERFACE_KERNEL_CACHE
 * says so, another user could change what is run from there, it cannot be made, or this process has more
 * rights than who started it. The addon looks whose the folder itself is. Never throws.
 */
export function ownKernelFolder(env: Environment): string {
  const folder = kernelFolder(env);
  if (folder === null || env['ARRAY_INTERFACE_KERNEL_CACHE'] === '0' || isElevated(require))
    return '';
  if (whyUntrusted(folder, require) !== null) return '';
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return ''; // read-only, full, or a file is in its way
  }
  return whyUntrusted(folder, require) === null ? folder : '';
}
