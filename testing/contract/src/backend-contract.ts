import { describe } from 'vitest';
import { copies } from './copies.js';
import type { Subject } from './subject.js';

/**
 * Registers the tests that every backend passes. Call it at the top level of a test file; nothing of
 * the backend is touched before its tests run.
 */
export function backendContract(name: string, subject: Subject): void {
  describe(`${name}: backend contract`, () => {
    copies(subject);
  });
}
