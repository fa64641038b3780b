import { once } from 'node:events';

/** An output stream of the process. */
export type Output = 'stdout' | 'stderr';

/** Writes a line and waits while its reader is slow. */
export async function writeLine(line: string, output: Output = 'stdout'): Promise<void> {
  const stream = process[output];
  if (!stream.write(`${line}\n`)) await once(stream, 'drain');
}

/** Ends the process silently when the reader of our output has enough, as `head` does. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
}
