import type { Kernel } from '@array-interface/core/kernel';
import { defineKernel } from '@array-interface/core/kernel';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

const PARAMETERS = { target: { write: 'uint8' } } as const;

/** A backend that runs no kernels refuses each, and leaves its arguments unchanged. */
export function noLaunches({ backend }: Subject): void {
  describe('launch, of a backend without kernels', () => {
    test.each([
      ['that has no code for it', 'other'],
      ['that has code under its name', backend.name],
    ])('refuses a kernel %s', async (_, name) => {
      const kernel = kernelFor(name);
      using target = await backend.array(Uint8Array.of(1, 2, 3));
      await refused(() => backend.launch(kernel, { range: [3] }, { target }), 'ERR_KERNEL');
      expect(target.disposed).toBe(false);
      expect(await backend.toTypedArray(target)).toEqual(Uint8Array.of(1, 2, 3));
    });

    test('has built all kernels', () => backend.whenKernelsReady());
  });
}

function kernelFor(backend: string): Kernel<typeof PARAMETERS> {
  const code = { [backend]: { javascript() {}, ptx: '.version 5.0', spirv: Uint8Array.of(0) } };
  return defineKernel({
    name: 'nothing',
    parameters: PARAMETERS,
    code,
  });
}
