import { withFallback } from '../errors/with-fallback.js';

/** `instanceof`, but false for a revoked proxy, for which `instanceof` throws. */
export function isInstance<T>(
  value: unknown,
  type: abstract new (...args: never) => T,
): value is T {
  return withFallback(() => value instanceof type, false);
}
