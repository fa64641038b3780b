import type { Backend, BackendArray } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { describe, expect, test } from 'vitest';
import { axpy } from '../kernels/kernels.js';

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

    test(`copied to ${other.name} is copied after the launch`, async () => {
      using source = await make(2);
      using target = await make(1);
      using there = other.empty([LENGTH], 'float32');
      const launched = launch(source, target);
      const copied = other.copy(there, target);
      await Promise.all([copied, launched]);
      expect(await other.toTypedArray(there)).toEqual(full(7));
      const again = launch(source, target);
      using made = await other.array(target);
      expect(await other.toTypedArray(made)).toEqual(full(13));
      await again;
    });

    test(`copied from ${other.name} is written after the launch`, async () => {
      using source = await make(2);
      using target = await make(1);
      using there = await other.array(full(5));
      const launched = launch(source, target);
      const copied = backend.copy(target, there);
      await Promise.all([copied, launched]);
      expect(await backend.toTypedArray(target)).toEqual(full(5));
    });

    test(`read by ${other.name} keeps its values, and the launch its memory`, async () => {
      const source = await make(2);
      const target = await make(1);
      using there = other.empty([LENGTH], 'float32');
      const launched = launch(source, target);
      const copied = other.copy(there, target);
      source[Symbol.dispose]();
      target[Symbol.dispose]();
      await Promise.all([copied, launched]);
      expect(await other.toTypedArray(there)).toEqual(full(7));
    });
  });
}
