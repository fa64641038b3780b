import { tryOr } from '../errors/try-or.js';

/** `instanceof`, but false for a revoked proxy, for which `instanceof` throws. */
export function isInstance<T>(
  value: unknown,
  type: abstract new (...args: never) => T,
): value is T {
  return tryOr(() => value instanceof type, false);
}
