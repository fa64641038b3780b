import { expect } from 'vitest';
import { ArrayInterfaceError, type ErrorCode } from '../../src/index.js';

/** The ArrayInterfaceError that `act` throws. Fails if it throws none, or another error. */
export function refusal(act: () => unknown): ArrayInterfaceError {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(ArrayInterfaceError);
    return error as ArrayInterfaceError;
  }
  throw new Error('expected a refusal, got none');
}

/** What a promise rejects with; fails when it does not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a rejection, got none');
}

/** Expects `act` to be refused with this code, at this path, in a message of our form. */
export function expectRefusal(act: () => unknown, code: ErrorCode, path?: string | null): void {
  const error = refusal(act);
  expect(error.message).toMatch(/^expected .*, got /s);
  expect({ code: error.code, path: path === undefined ? undefined : error.path }).toEqual({
    code,
    path,
  });
}
