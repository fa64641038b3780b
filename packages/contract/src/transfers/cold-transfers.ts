import type { Backend, BackendArray } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { describe, expect } from 'vitest';
import { axpy } from '../kernels/kernels.js';
import { withFixtures } from '../support/fixtures.js';

const LENGTH = 100;
const KINDS = ['device', 'host', 'shared', 'pageable'] as const;
const full = (value: number) => new Float32Array(LENGTH).fill(value);

/**
 * Copies between two backends, enqueued while the kernel of a launch on the first is being built.
 */
export function coldTransfers(backend: Backend, other: Backend): void {
  if (!Object.hasOwn(axpy.code, backend.name)) return;
  // Names no queue, so that only the arrays order each copy.
  const launch = (source: BackendArray, target: BackendArray) =>
    backend.launch(
      defineKernel({ ...axpy }),
      { range: [LENGTH] },
      { source, target, factor: 3, n: LENGTH },
    );

  describe.each(KINDS)(`while a kernel of ${backend.name} is built, %s memory`, (memoryKind) => {
    const make = async (value: number) => {
      try {
        return await backend.array(full(value), { memoryKind });
      } catch {
        return await backend.array(full(value)); // it has no such memory
      }
    };
    const test = withFixtures(backend, {
      source: () => make(2),
      target: () => make(1),
      there: () => other.array(full(5)),
    });

    test(`copied to ${other.name} is copied after the launch`, async ({
      source,
      target,
      there,
    }) => {
      const launched = launch(source, target);
      await Promise.all([other.copy(there, target), launched]);
      expect(await other.toTypedArray(there)).toEqual(full(7));
      const again = launch(source, target);
      using made = await other.array(target);
      expect(await other.toTypedArray(made)).toEqual(full(13));
      await again;
    });

    test(`copied from ${other.name} is written after the launch`, async ({
      source,
      target,
      there,
    }) => {
      const launched = launch(source, target);
      await Promise.all([backend.copy(target, there), launched]);
      expect(await backend.toTypedArray(target)).toEqual(full(5));
    });

    test(`read by ${other.name} keeps its values, and the launch its memory`, async ({
      source,
      target,
      there,
    }) => {
      const launched = launch(source, target);
      const copied = other.copy(there, target);
      source[Symbol.dispose]();
      target[Symbol.dispose]();
      await Promise.all([copied, launched]);
      expect(await other.toTypedArray(there)).toEqual(full(7));
    });
  });
}
