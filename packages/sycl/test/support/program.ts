import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How a program ended. */
export interface Ended {
  readonly status: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly flags?: readonly string[];
  /** How many files it may have open; default: as many as this process. */
  readonly openFiles?: number;
  /** How large a file it may write, in blocks of the shell's; default: as large as this process. */
  readonly largestFile?: number;
}

const folder = dirname(fileURLToPath(import.meta.url));

/** Runs an ES module in a process of its own, from this folder, with `sycl` imported. */
export function runProgram(body: string, options: RunOptions = {}): Promise<Ended> {
  const text = `import { liveAllocations, sycl } from '@array-interface/sycl';\n${body}`;
  const flags = [...(options.flags ?? []), '--input-type=module', '--eval', text];
  const env = { ...process.env, ...options.env };
  const limits = [
    ...(options.openFiles === undefined ? [] : [`ulimit -n ${options.openFiles}`]),
    ...(options.largestFile === undefined ? [] : [`ulimit -f ${options.largestFile}`]),
  ];
  const limited = [...limits, 'exec "$0" "$@"'].join(' && ');
  const [command, ...before] =
    limits.length === 0 ? [process.execPath] : ['sh', '-c', limited, process.execPath];
  return new Promise((resolve) => {
    execFile(command, [...before, ...flags], { cwd: folder, env }, (error, stdout, stderr) => {
      const status = error === null ? 0 : (error.signal ?? error.code ?? null);
      resolve({ status, stdout: stdout.trim(), stderr: stderr.trim() });
    });
  });
}
