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
  expect(codes, `${work}: ${error.message}`).toContain(error.code);
  expectText(error);
  // Other people may read a log, and need not learn memory addresses. An unknown address is one
  // that the caller passed.
  if (error.code !== 'ERR_POINTER_UNKNOWN') expect(error.message).not.toMatch(ADDRESS);
  return error;
}

/** A frame inside the packages that are tested. */
const INSIDE =
  /\/(?:@array-interface(?:@[^/]+)?|packages)\/(?:core|host|cuda|sycl|python)\/(?:src|dist)\//;

/** Expects the message of an error to begin with its code and path, and its stack at the caller. */
export function expectText({ code, path, message, reason, stack }: ArrayInterfaceError): void {
  expect(reason).toMatch(/^expected .*, got /s);
  expect(message).toBe(`[${code}] ${path === null ? '' : `${path}: `}${reason}`);
  const frames = (stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
  // Work that fails later has no frame of a caller.
  const isLate = frames.every((line) => INSIDE.test(line) || line.includes('node:internal'));
  if (!isLate) expect(frames[0], stack).not.toMatch(INSIDE);
}

/** Expects each call to be refused with the code, or one of the codes. */
export async function allRefused(
  code: ErrorCode | readonly ErrorCode[],
  ...calls: readonly (() => unknown)[]
): Promise<void> {
  for (const call of calls) await refused(call, ...[code].flat());
}

/** Expects Node's AbortError of each call. */
export async function aborted(...calls: readonly (() => unknown)[]): Promise<void> {
  for (const call of calls) {
    const error = await failureOf(call);
    expect((error as Error).name, `${call}`).toBe('AbortError');
  }
}

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error(`expected ${work} to be refused, got no error`);
}
