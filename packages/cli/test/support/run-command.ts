import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command. */
export const bin = fileURLToPath(new URL('../../bin/array-interface.js', import.meta.url));

export interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the real command as a child process, with `input` as its standard input. */
export function run(
  args: readonly string[],
  input = '',
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      ...options,
      env: { ...process.env, NO_COLOR: '1', ...options.env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    child.stdin.on('error', () => {
      // a command that does not read its input closes it
    });
    child.stdin.end(input);
  });
}

/** The lines of an output, each one JSON value. */
export function jsonLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
}
