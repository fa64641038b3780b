import type { Backend, BackendArray } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import * as built from './jacobi.kernel.js';

// What `npm run build:kernels` made of jacobi.cl, and the same for the host.
const jacobi = defineKernel({
  ...built.jacobi,
  code: {
    ...built.jacobi.code,
    host: {
      javascript({ now, next, rows, columns }) {
        for (let row = 1; row < rows - 1; row++) {
          const end = (row + 1) * columns - 1;
          for (let at = row * columns + 1; at < end; at++) {
            const vertical = (now[at - columns] as number) + (now[at + columns] as number);
            const horizontal = (now[at - 1] as number) + (now[at + 1] as number);
            next[at] = 0.25 * (vertical + horizontal);
          }
        }
      },
    },
  },
});

/**
 * Enqueues a step of Jacobi's method: the elements of `next` become the means of the four neighbours in
 * `now`, but for the outermost rows and columns. Both are contiguous tiles (rows x columns) of float64.
 */
export async function step(backend: Backend, now: BackendArray, next: BackendArray): Promise<void> {
  const [rows = 0, columns = 0] = now.shape;
  await backend.launch(jacobi, { range: [rows * columns] }, { now, next, rows, columns });
}
