import type { Dict } from './dict.js';
import { ArrayInterfaceError } from './error.js';
import { digits, readInteger } from './integer.js';

/** Checks the version of a dict. Throws ERR_MISSING_KEY, ERR_TYPE, ERR_VERSION. */
export function readVersion(dict: Dict, known: readonly number[], key = 'version'): void {
  const given = dict.required(key);
  if (known.includes(given as number)) return;
  const path = dict.path(key);
  const version = readInteger(given, path);
  if (known.some((one) => BigInt(one) === version)) return;
  throw new ArrayInterfaceError(
    'ERR_VERSION',
    path,
    `expected version ${known.join(', ')}, got ${digits(version)}; ask the producer for a known one`,
  );
}
