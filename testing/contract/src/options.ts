import { isArrayInterfaceError } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import type { Subject } from './subject.js';

/** An option that does nothing because it is misspelt would be found too late. */
export function options({ backend }: Subject): void {
  describe('an option that is not known', () => {
    const misspelt = { castign: 'unsafe' } as never;
    const calls: Record<string, () => unknown> = {
      empty: () => backend.empty([1], 'uint8', misspelt),
      array: () => backend.array([1], misspelt),
      asArray: () => backend.asArray(Uint8Array.of(1), misspelt),
      copy: () => backend.copy(new Uint8Array(1), Uint8Array.of(1), misspelt),
      fill: () => backend.fill(new Uint8Array(1), 1, misspelt),
      toTypedArray: () => backend.toTypedArray(Uint8Array.of(1), misspelt),
      createQueue: () => backend.createQueue(misspelt),
      synchronize: () => backend.synchronize(misspelt),
      'synchronize of a queue': () => backend.createQueue().synchronize(misspelt),
      'synchronize of an event': () => backend.createQueue().record().synchronize(misspelt),
      kernelsBuilt: () => backend.kernelsBuilt(misspelt),
    };

    test.each(Object.keys(calls))('is refused by %s, which names those that are', async (name) => {
      const error = await Promise.resolve()
        .then(calls[name])
        .then(
          () => null,
          (reason: unknown) => reason,
        );
      if (!isArrayInterfaceError(error, 'ERR_ARGUMENT')) throw error;
      expect(error.path).toBe('castign');
      expect(error.message).toMatch(
        /^expected one of the options (signal|queue|device|sync)\b.*, got "castign"$/,
      );
    });
  });
}
