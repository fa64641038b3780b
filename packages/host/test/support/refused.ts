import {
  type ArrayInterfaceError,
  type ErrorCode,
  isArrayInterfaceError,
} from '@array-interface/core';
import { expect } from 'vitest';

/** Expects an ArrayInterfaceError with the code, thrown or as a rejection. */
export async function refused(work: () => unknown, code: ErrorCode): Promise<ArrayInterfaceError> {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => null,
      (reason: unknown) => reason,
    );
  if (!isArrayInterfaceError(error)) throw error ?? new Error(`expected ${code}, got no error`);
  expect(error.code, error.message).toBe(code);
  return error;
}
