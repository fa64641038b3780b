import { tryOr } from '../errors/try-or.js';

/**
 * By which objects tell the memory behind them: memories themselves and arrays of backends, of every
 * installed copy of core.
 */
export const memoryBrand: unique symbol = Symbol.for('array-interface.memory') as never;

/** The memory behind an owner, as an object that only backends know more of. Null: there is none. */
export function memoryBehind(owner: unknown): object | null {
  if (typeof owner !== 'object' || owner === null) return null;
  return tryOr(() => (owner as { readonly [memoryBrand]?: object })[memoryBrand] ?? null, null);
}
