import { runs } from '@array-interface/random';
import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import type { Subject } from './subject.js';

const SEEN = {
  alone: [1, 2, 3, 4, 5, 6],
  twice: 'ERR_TICKET ticket.thread',
  afterwards: 0,
  pendingHere: [7, 7, 7, 7, 7, 7],
  pendingThere: [8, 8, 8, 8, 8, 8],
  part: [9, 9, 8, 8, 8, 8],
  flipped: [3, 2, 1, 6, 5, 4],
  layout: { shape: [2, 3], byteStrides: [12, -4], readOnly: false, dtype: 'float32' },
  readOnly: 'ERR_READ_ONLY destination',
  named: { shape: [2], byteStrides: [2], readOnly: false, dtype: 'bfloat16' },
  nothing: { shape: [0, 3], byteStrides: [6, 2], readOnly: false, dtype: 'int16' },
  loan: [1, 2, 3, 4, 5, 6],
  own: [1, 2, 3, 4, 5, 6],
  disposed: 'ERR_TICKET ticket.thread',
  forged: 'ERR_TICKET ticket.thread',
  others: 'ERR_TICKET ticket.backend',
  gone: 'ERR_DISPOSED array',
  option: 'ERR_ARGUMENT threads',
  fromWorker: [1, 2],
  fromTerminated: [3],
  left: 'ERR_TICKET ticket.thread',
  end: 0,
};

/** Arrays move to and from worker threads by tickets, even while these are terminated. */
export function threads(subject: Subject): void {
  test('arrays go between threads by tickets, which keep the memory and its order', async () => {
    expect(await answer(subject, 'threads')).toEqual(SEEN);
  });

  const rounds = runs(40);
  test(`${rounds} workers are terminated while they open tickets and send some`, async () => {
    const got = await answer(subject, 'killed-openers', String(rounds));
    expect(got).toEqual({ wrong: 0, left: 0 });
  });
}
