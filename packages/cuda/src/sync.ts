import { ArrayInterfaceError } from '@array-interface/core';
import type { Sync } from '@array-interface/core/backend';

const SYNCS: readonly Sync[] = ['wait', 'block', 'none'];

/** The option as one of the three. Throws ERR_ARGUMENT. */
export function readSync(option: 'sync' | 'exportStream', value: Sync): Sync {
  if (SYNCS.includes(value)) return value;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    option,
    `expected ${SYNCS.join(', ')} or nothing, got ${String(value)}`,
  );
}
