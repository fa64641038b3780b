import { ArrayInterfaceError, type ErrorCode } from './error.js';

/** Makes an error that states what was expected, what was found instead, and what to do. */
export function mismatch(
  code: ErrorCode,
  path: string | null,
  expected: string,
  got: string | number | bigint,
  cure?: string,
): ArrayInterfaceError {
  const message = `expected ${expected}, got ${got}`;
  return new ArrayInterfaceError(code, path, cure === undefined ? message : `${message}; ${cure}`);
}
