import { expect, test } from 'vitest';
import { runProgram } from './run-program.js';
import type { Subject } from './subject.js';

const ENDINGS: readonly (readonly [how: string, status: number, stdout: string])[] = [
  ['of itself', 0, ''],
  ['by process.exit', 7, ''],
  ['by process.exit while somebody waits', 7, ''],
  ['by process.exit in the middle of its work', 7, ''],
  ['when what is awaited is done', 0, 'done'],
  ['after all was disposed', 0, ''],
  ['after all was collected', 0, ''],
];

/** A process that ends with work pending prints nothing about it. */
export function endings(subject: Subject): void {
  test.each(ENDINGS)('a process that ends with work pending, %s', async (how, status, stdout) => {
    const ended = await runProgram(subject, 'ending', how);
    expect(ended).toEqual({ status, stdout, stderr: '' });
  });

  test('an uncaught exception is the one that is reported', async () => {
    const { status, stderr } = await runProgram(subject, 'ending', 'by an exception');
    expect(status).toBe(1);
    expect(stderr).toContain('Error: on purpose');
    expect(stderr).not.toMatch(/terminate|Segmentation|Fatal/);
  });
}
