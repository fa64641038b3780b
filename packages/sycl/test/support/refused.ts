import { ArrayInterfaceError, type ErrorCode } from '@array-interface/core';
import { expect } from 'vitest';

/** The ArrayInterfaceError that `work` throws or rejects with; fails when it does neither. */
export async function refused(code: ErrorCode, work: () => unknown): Promise<ArrayInterfaceError> {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(ArrayInterfaceError);
    const refusal = error as ArrayInterfaceError;
    expect(refusal.code, refusal.message).toBe(code);
    expect(refusal.reason).toMatch(/^expected .*got /s);
    return refusal;
  }
  throw new Error(`expected ${code}, got no error`);
}
