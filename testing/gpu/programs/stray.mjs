import { readFileSync } from 'node:fs';
import { defineKernel } from '@array-interface/core/kernel';
import { cuda } from '@array-interface/cuda';

// Launches a kernel that writes beyond its array, waits for it, and prints the error.
const ptx = readFileSync(new URL('../kernels/raise.ptx', import.meta.url), 'utf8');
const stray = defineKernel({
  name: 'stray',
  parameters: { values: { write: 'float32' } },
  code: { cuda: { ptx } },
});
const values = cuda.empty([4], 'float32');
try {
  await cuda.launch(stray, { range: [1], group: [1] }, { values });
  await values.synchronize();
  console.log('no error');
} catch ({ code, driverCode }) {
  console.log(code, driverCode);
}
