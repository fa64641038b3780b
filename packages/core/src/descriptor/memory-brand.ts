import { withFallback } from '../errors/with-fallback.js';

/**
 * The property through which objects report the memory behind them: memories and arrays of
 * backends, of every installed copy of core.
 */
export const memoryBrand: unique symbol = Symbol.for('array-interface.memory') as never;

/**
 * Returns the memory behind an owner, as an object that only backends can interpret. Null if there
 * is none.
 */
export function memoryBehind(owner: unknown): object | null {
  if (typeof owner !== 'object' || owner === null) return null;
  return withFallback(
    () => (owner as { readonly [memoryBrand]?: object })[memoryBrand] ?? null,
    null,
  );
}
