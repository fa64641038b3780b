import { expect, test } from 'vitest';
import { runChild } from '../support/child.js';

// The simulator ends with the process (driver-under-test.ts), and reports each call that comes later.

const KEPT = `
  import { cuda } from '@array-interface/cuda';
  const arrays = Array.from({ length: 4000 }, (_, i) => cuda.empty([i + 1], 'uint8'));
`;
const DISPOSE = 'for (const array of arrays) array[Symbol.dispose]();';

const PROGRAMS: readonly (readonly [what: string, program: string])[] = [
  ['releases thousands of arrays', `${KEPT} ${DISPOSE} void cuda.releaseCached();`],
  ['sees work end', `${KEPT} for (const array of arrays) void cuda.fill(array, 1); ${DISPOSE}`],
  [
    'waits for work and memory',
    `${KEPT} for (const array of arrays) void cuda.fill(array, 1); void cuda.synchronize();`,
  ],
];

test.each(
  ['lazy', 'eager', 'random:1'].flatMap((schedule) =>
    PROGRAMS.map(([what, program]) => ({ what, program, schedule })),
  ),
)('a process may exit while one of our threads $what, $schedule', async ({ program, schedule }) => {
  for (const delay of [0, 5]) {
    const exits = `${program} setTimeout(() => process.exit(3), ${delay});`;
    const ended = await runChild(exits, { CUDA_SIMULATOR_SCHEDULE: schedule });
    expect(ended).toEqual({ status: 3, signal: null, stdout: '', stderr: '' });
  }
});
