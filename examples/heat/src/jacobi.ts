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
          const start = row * columns;
          // An element is read once of its row: as the right, the middle and the left one in turn.
          let [left, middle] = [now[start] as number, now[start + 1] as number];
          for (let at = start + 1; at < start + columns - 1; at++) {
            const right = now[at + 1] as number;
            const vertical = (now[at - columns] as number) + (now[at + columns] as number);
            next[at] = 0.25 * (vertical + (left + right));
            left = middle;
            middle = right;
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
