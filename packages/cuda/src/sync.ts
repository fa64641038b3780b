import type { Sync } from '@array-interface/core/backend';

/** How our work is ordered after a producer's where the caller does not say. */
export function defaultSync(): Sync {
  return process.env.ARRAY_INTERFACE_SYNC === '0' ? 'none' : 'wait';
}
