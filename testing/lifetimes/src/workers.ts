import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import { DEFAULT_COUNT, type Subject } from './subject.js';

interface Answer {
  readonly ends: readonly number[];
  readonly left: number;
  readonly values?: readonly number[];
}

/** Worker threads load, use and tear down; some are ended with work pending. */
export function workers(subject: Subject): void {
  const count = subject.count ?? DEFAULT_COUNT;
  const times = (status: number) => Array(count).fill(status);
  const ends = [...times(0), ...times(0), ...times(0), ...times(3), ...times(1)];

  test.each(['alone', 'beside'])(
    'worker threads, %s: in turn, together, ended in their work',
    async (who) => {
      const got = await answer<Answer>(subject, 'workers', String(count), who);
      expect(got).toEqual({ ends, left: 0, ...(who === 'beside' && { values: [1, 2, 3] }) });
    },
  );
}
