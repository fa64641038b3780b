import { readFileSync } from 'node:fs';

/** A driver function that the addon uses. */
export interface EntryPointRow {
  readonly name: string;
  /** The exported name, for drivers that find no function by its base name. */
  readonly symbol: string;
  /** The driver version that introduced the requested ABI. */
  readonly version: number;
}

/** The rows of native/driver/entry_points.hpp. */
export const entryPoints: readonly EntryPointRow[] = [
  ...readFileSync(
    new URL('../../native/driver/entry_points.hpp', import.meta.url),
    'utf8',
  ).matchAll(/^ {2}X\((\w+), (\w+), (\d+),/gm),
].map(([, name, symbol, version]) => ({
  name: name as string,
  symbol: symbol as string,
  version: Number(version),
}));
