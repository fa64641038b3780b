import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from './run-command.js';

describe('the command', () => {
  it.each([
    [[]],
    [['frobnicate']],
    [['inspect', '--jason']],
    [['inspect', 'one', 'two']],
    [['inspect', 'a/file/that/is/not/there']],
    [['inspect', tmpdir()]],
    [['convert']],
    [['convert', '--to', 'dlpack']],
    [['convert', '--to', 'cuda', '--cuda-version', '4']],
    [['convert', '--to', 'cuda', '--cuda-version', '']],
    [['explain-copy']],
    [['explain-copy', '2,3', 'C']],
    [['explain-copy', '2,3', '-4,2', 'C']],
    [['explain-copy', '2,3', 'C', 'C', '--backend', 'opencl']],
    [['setup']],
    [['setup', 'cuda']],
  ])('%j cannot be understood or read: status 2', async (args) => {
    const { status, stdout, stderr } = await run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(stderr).not.toBe('');
  });

  it('helps', async () => {
    const { status, stdout } = await run(['--help']);
    expect(status).toBe(0);
    for (const name of ['doctor', 'setup', 'inspect', 'convert', 'explain-copy'])
      expect(stdout).toContain(name);
    expect(await run(['--version'])).toMatchObject({ status: 0, stdout: '0.0.0\n' });
  });

  it('ends quietly when its reader has enough', () => {
    const bin = fileURLToPath(new URL('../bin/array-interface.js', import.meta.url));
    const line =
      '{"__cuda_array_interface__":{"shape":[9],"typestr":"<f4","data":[8,true],"version":3}}';
    const script = `yes '${line}' | head -n 20000 | '${process.execPath}' '${bin}' inspect --json | head -n 1`;
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true });
    expect(stderr).toBe('');
  });
});

describe('setup sycl', () => {
  it('says that it was told not to', async () => {
    const cwd = mkdtempSync(path.join(tmpdir(), 'array-interface-'));
    const { status, stderr } = await run(['setup', 'sycl'], '', {
      cwd,
      env: { ARRAY_INTERFACE_SYCL: '0' },
    });
    rmSync(cwd, { recursive: true });
    expect(status).toBe(1);
    expect(stderr).toContain('ARRAY_INTERFACE_SYCL');
  });

  it('fetches nothing when the addon itself is missing', async () => {
    const cwd = mkdtempSync(path.join(tmpdir(), 'array-interface-'));
    const { status, stdout, stderr } = await run(['setup', 'sycl'], '', {
      cwd,
      env: { ARRAY_INTERFACE_ADDON_DIR: '/nowhere', ARRAY_INTERFACE_PYTHON: '/nowhere/python3' },
    });
    rmSync(cwd, { recursive: true });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(
      'the SYCL addon cannot be loaded: expected the SYCL addon at /nowhere',
    );
    expect(stderr).toContain('to get it: run npm run setup');
  });
});
