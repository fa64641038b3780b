import { expect } from 'vitest';
import { ArrayInterfaceError, type ErrorCode, printable } from '../../src/index.js';

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

/** The message of an error, which begins with its code and path. */
export function textOf({ code, path, reason }: ArrayInterfaceError): string {
  return `[${code}] ${path === null ? '' : `${printable(path)}: `}${reason}`;
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
  expect(error.reason).toMatch(/^expected .*, got /s);
  expect(error.message).toBe(textOf(error));
  expect({ code: error.code, path: path === undefined ? undefined : error.path }).toEqual({
    code,
    path,
  });
}
