import { ArrayInterfaceError, type ErrorCode, isArrayInterfaceError } from '@array-interface/core';
import { expect } from 'vitest';

/** An address longer than the wild pointers of these tests. */
const ADDRESS = /0x[\da-f]{7,}/;

/**
 * Expects an ArrayInterfaceError with one of the codes, thrown or as a rejection, whose message
 * says what to do. Returns the error.
 */
export async function refused(
  work: () => unknown,
  ...codes: ErrorCode[]
): Promise<ArrayInterfaceError> {
  const error = await failureOf(work);
  if (!isArrayInterfaceError(error)) throw error;
  expect(error).toBeInstanceOf(ArrayInterfaceError);
  expect(codes, error.message).toContain(error.code);
  expect(error.message).toMatch(/^expected .*, got /s);
  // Other people may read a log, and need not learn memory addresses. An unknown address is one
  // that the caller passed.
  if (error.code !== 'ERR_POINTER_UNKNOWN') expect(error.message).not.toMatch(ADDRESS);
  return error;
}

/** Expects Node's AbortError. */
export async function aborted(work: () => unknown): Promise<void> {
  const error = await failureOf(work);
  expect((error as Error).name).toBe('AbortError');
}

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('expected a refusal, got none');
}
