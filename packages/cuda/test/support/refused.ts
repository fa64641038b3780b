import { ArrayInterfaceError, type ErrorCode } from '@array-interface/core';
import { expect } from 'vitest';

/** The ArrayInterfaceError that the work throws or rejects with, of that code. */
export async function refused(work: () => unknown, code: ErrorCode): Promise<ArrayInterfaceError> {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => new Error(`expected ${code}, got no refusal`),
      (reason: unknown) => reason,
    );
  if (!(error instanceof ArrayInterfaceError)) throw error;
  expect(error.code, error.message).toBe(code);
  expect(error.reason).toMatch(/^expected .*, got /s);
  return error;
}
