import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('../..', import.meta.url));

export interface ChildResult {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a module in a process of its own, which finds packages as this one does; the driver is the one
 * under test unless `env` names another. A variable that is undefined is taken away.
 */
export function runChild(
  code: string,
  env: Readonly<Record<string, string | undefined>> = {},
  flags: readonly string[] = [],
): Promise<ChildResult> {
  const args = [...flags, '--input-type=module', '--eval', code];
  const options = { cwd: packageFolder, env: { ...process.env, ...env }, timeout: 300_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ status, signal: error?.signal ?? null, stdout, stderr });
    });
  });
}

/** What the module's last line of output says in JSON; throws with all of it if it failed. */
export async function childAnswer<T>(...args: Parameters<typeof runChild>): Promise<T> {
  const { status, signal, stdout, stderr } = await runChild(...args);
  if (status !== 0) throw new Error(`child ended with ${status ?? signal}:\n${stdout}${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) as string) as T;
}
