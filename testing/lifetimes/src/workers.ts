import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import { COUNT, type Subject } from './subject.js';

/** Worker threads load, use and tear down; some are ended with work pending. */
export function workers(subject: Subject): void {
  const ends = [0, 0, 0, 3, 1].flatMap((status) => Array(COUNT).fill(status));

  test.each(['alone', 'beside'])(
    'worker threads, %s: in turn, together, ended in their work',
    async (who) => {
      const got = await answer(subject, 'workers', String(COUNT), who);
      expect(got).toEqual({ ends, left: 0, ...(who === 'beside' && { values: [1, 2, 3] }) });
    },
  );
}
