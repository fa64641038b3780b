import { once } from 'node:events';
import { printable } from '@array-interface/core';

/** An output stream of the process. */
export type Output = 'stdout' | 'stderr';

/** Writes a line. Waits while the reader is slow. */
export async function writeLine(line: string, output: Output = 'stdout'): Promise<void> {
  const stream = process[output];
  if (!stream.write(`${line}\n`)) await once(stream, 'drain');
}

/** Ends the process silently when the reader of its output closes the pipe, as `head` does. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
}

/**
 * Escapes everything but line ends in a text from elsewhere, so that it cannot control the
 * terminal.
 */
export function printableLines(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line))
    .join('\n');
}
