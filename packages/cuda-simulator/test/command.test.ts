import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { libraryFolder, libraryPath } from '../src/index.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const command = join(root, 'bin/cuda-simulator.js');
const folder = mkdtempSync(join(tmpdir(), 'cuda-simulator-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The command in a folder of its own, as a package that has no library. */
function copyAlone(): string {
  for (const part of ['package.json', 'bin', 'dist']) {
    cpSync(join(root, part), join(folder, 'alone', part), { recursive: true });
  }
  return join(folder, 'alone/bin/cuda-simulator.js');
}

/** Runs the command. Returns its output and how it ended. */
function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, [command, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 300_000,
  });
}

describe('cuda-simulator', () => {
  it('puts its folder first on the loader path and names the library', () => {
    const script = 'echo "$LD_LIBRARY_PATH|$ARRAY_INTERFACE_LIBCUDA"';
    const { stdout } = run(['sh', '-c', script], { LD_LIBRARY_PATH: '/somewhere' });
    const both = `${libraryFolder}:${libraryFolder}/runtime`;
    expect(stdout).toBe(`${both}:/somewhere|${libraryPath}\n`);
    expect(run(['sh', '-c', script], { LD_LIBRARY_PATH: '' }).stdout).toBe(
      `${both}|${libraryPath}\n`,
    );
    expect(run(['--no-runtime', 'sh', '-c', script], { LD_LIBRARY_PATH: '' }).stdout).toBe(
      `${libraryFolder}|${libraryPath}\n`,
    );
  });

  it('passes on arguments, input, output and exit status', () => {
    const result = run(['sh', '-c', 'echo "$1"; echo two >&2; exit 7', 'sh', 'a b']);
    expect(result.stdout).toBe('a b\n');
    expect(result.stderr).toBe('two\n');
    expect(result.status).toBe(7);
    expect(run(['--', 'true']).status).toBe(0);
  });

  it('ends with the signal that ended the command', () => {
    expect(run(['sh', '-c', 'kill -KILL $$']).signal).toBe('SIGKILL');
    expect(run(['sh', '-c', 'kill -TERM $$']).signal).toBe('SIGTERM');
  });

  it('passes signals to the command', async () => {
    const script = 'trap "echo got it; exit 5" TERM; echo ready; while :; do sleep 0.05; done';
    const child = spawn(process.execPath, [command, 'sh', '-c', script]);
    let output = '';
    child.stdout.on('data', (part) => {
      output += part;
      if (output === 'ready\n') child.kill('SIGTERM');
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect(output).toBe('ready\ngot it\n');
    expect(status).toBe(5);
  });

  it('says in one line what is wrong', () => {
    const usage = 'usage: cuda-simulator [--no-runtime] COMMAND [ARGUMENT…]\n';
    const none = run([]);
    expect(none.stderr).toBe(`cuda-simulator: expected a command, got none; ${usage}`);
    expect(none.status).toBe(2);
    const option = run(['--devices', '3']);
    expect(option.stderr).toBe(
      `cuda-simulator: expected a command, got the option '--devices'; ${usage}`,
    );
    expect(option.status).toBe(2);
    const missing = run(['no-such-command-at-all'], { PATH: folder });
    expect(missing.stderr).toBe("cuda-simulator: cannot run 'no-such-command-at-all': not found\n");
    expect(missing.status).toBe(127);
    const file = join(folder, 'not-executable');
    writeFileSync(file, 'x');
    chmodSync(file, 0o644);
    const denied = run([file]);
    expect(denied.stderr).toBe(
      `cuda-simulator: cannot run '${file}': not found, or not allowed to run\n`,
    );
    expect(denied.status).toBe(126);
  });

  it('uses the package’s library for this processor', () => {
    const copy = copyAlone();
    const prebuilt = join(folder, 'alone/prebuilds', `linux-${process.arch}`);
    for (const name of ['libcuda.so', 'libcuda.so.1']) {
      cpSync(join(libraryFolder, name), join(prebuilt, name));
    }
    const print = 'console.log(process.env.ARRAY_INTERFACE_LIBCUDA)';
    const ran = spawnSync(process.execPath, [copy, process.execPath, '-e', print], {
      encoding: 'utf8',
    });
    rmSync(prebuilt, { recursive: true });
    expect(ran).toMatchObject({ status: 0, stdout: `${join(prebuilt, 'libcuda.so.1')}\n` });
  });

  it('says so if it is not built', () => {
    const copy = copyAlone();
    const { stderr, status } = spawnSync(process.execPath, [copy, 'true'], { encoding: 'utf8' });
    expect(stderr).toMatch(/^cuda-simulator: expected .*libcuda\.so\.1, got no such file: .*\n$/);
    expect(status).toBe(2);
  });

  it.each([
    ["Object.defineProperty(process, 'platform', { value: 'darwin' })", `darwin ${process.arch}`],
    ["Object.defineProperty(process, 'arch', { value: 'riscv64' })", 'linux riscv64 with glibc'],
    ['process.report.getReport = () => ({ header: {} })', `linux ${process.arch} with musl`],
  ])('names its platforms if %s', (pretence, here) => {
    const copy = copyAlone();
    const start = `--import=data:text/javascript,${encodeURIComponent(pretence)}`;
    const result = spawnSync(process.execPath, [start, copy, 'true'], { encoding: 'utf8' });
    expect(result.stderr).toBe(
      `cuda-simulator: the simulator is for linux x64 and arm64 with glibc, and this is ${here}\n`,
    );
    expect(result.status).toBe(2);
  });

  it('shows its usage', () => {
    const { stdout, status } = run(['--help']);
    expect(stdout).toMatch(/^usage: cuda-simulator \[--no-runtime\] COMMAND/);
    expect(status).toBe(0);
  });

  it('prints its version, and leaves the command’s to the command', () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    expect(run(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(run([process.execPath, '--version']).stdout).toBe(`${process.version}\n`);
  });
});
