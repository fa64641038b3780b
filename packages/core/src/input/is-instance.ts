import { tryOr } from '../errors/try-or.js';

/** `instanceof`, which throws for a revoked proxy; that is an instance of nothing. */
export function isInstance<T>(
  value: unknown,
  type: abstract new (...args: never) => T,
): value is T {
  return tryOr(() => value instanceof type, false);
}
