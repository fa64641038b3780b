import { runs } from '@array-interface/random';
import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import type { Subject } from './subject.js';

/** What an operation may leave for good, whatever the rounds: code that was compiled, and the like. */
const MOST_HEAP = 2 ** 20;
const MOST_MEMORY = 32 * 2 ** 20;

interface Growth {
  readonly heap: number;
  readonly rss: number;
  readonly files: number;
  /** In words, what the addon counts more of. */
  readonly live: readonly string[];
}

/** Every operation, again and again. npm run test:long does each 100,000 times. */
export function operations(subject: Subject): void {
  const times = runs(1000);
  test(`each operation ${times} times, in memory that does not grow`, async () => {
    const { inPlace, kernel } = subject;
    const code = kernel === undefined ? '' : JSON.stringify(plain(kernel));
    type Answer = Readonly<Record<string, Growth>>;
    const grown = await answer<Answer>(subject, 'operations', inPlace, code, String(times));
    const isFlat = ({ heap, rss, files, live }: Growth) =>
      heap < MOST_HEAP && rss < MOST_MEMORY && files <= 0 && live.length === 0;
    expect(Object.entries(grown).filter(([, one]) => !isFlat(one))).toEqual([]);
  });
}

/** The kernel as JSON has it. */
function plain({ name, parameters, code }: NonNullable<Subject['kernel']>): object {
  const spirv = code.sycl && Buffer.from(code.sycl.spirv).toString('base64');
  return { name, parameters, ptx: code.cuda?.ptx, spirv };
}
