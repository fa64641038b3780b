import { ArrayInterfaceError } from './error.js';
import { show } from './show.js';

/** A boolean, nothing else. Throws ERR_TYPE. */
export function readFlag(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ArrayInterfaceError('ERR_TYPE', path, `expected true or false, got ${show(value)}`);
}
