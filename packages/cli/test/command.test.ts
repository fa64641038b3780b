import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { bin, run } from './support/run-command.js';

describe('the command', () => {
  it.each([
    [[]],
    [['frobnicate']],
    [['inspect', '--jason']],
    [['inspect', 'a/file/that/is/not/there']],
    [['inspect', tmpdir()]],
    [['inspect', '--version']],
    [['convert']],
    [['convert', '--to', 'dlpack']],
    [['convert', '--to', 'cuda', '--cuda-version', '4']],
    [['convert', '--to', 'cuda', '--cuda-version', '']],
    [['convert', '--to', 'cuda', '--version']],
    [['convert', '--to', 'sycl', '--cuda-version', '3']],
    [['convert', '--to', 'host', '--syclobj', 'cpu']],
    [['explain-copy']],
    [['explain-copy', '2,3', 'C']],
    [['explain-copy', '2,3', '-x', 'C']],
    [['doctor', '--require']],
    [['doctor', '--require', 'opencl']],
    [['inspect', '--protocol', 'dlpack']],
    [['explain-copy', '2,3', 'C', 'C', '--backend', 'opencl']],
    [['setup']],
    [['setup', 'cuda']],
  ])('%j is misuse or cannot be read: status 2', async (args) => {
    const { status, stdout, stderr } = await run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(stderr).not.toBe('');
  });

  it.each([
    [['inspect', 'not/there'], 'error: not/there: expected a file, got nothing of that name\n'],
    [['inspect', tmpdir()], `error: ${tmpdir()}: expected a file, got a folder\n`],
    [
      ['inspect', `${bin}/x`],
      `error: ${bin}/x: expected a file, got a path that leads through a file\n`,
    ],
    [
      ['convert', '--to', 'cuda', '--version', '0'],
      "error: option '--version <n>' argument '0' is invalid. The version of a CUDA dict is --cuda-version.\n",
    ],
    [['convert'], "error: required option '--to <protocol>' not specified\n"],
    [
      ['convert', '--to', 'cuda', '--syclobj', 'cpu'],
      'error: expected --syclobj with --to sycl only, got --to cuda\n',
    ],
    [
      ['doctor', '--require', 'host,cudda'],
      `error: option '--require <names>' argument 'host,cudda' is invalid. expected names of host, cuda, sycl, python, separated by commas, got "cudda".\n`,
    ],
    [
      ['convert', '--to', 'nunpy'],
      "error: option '--to <protocol>' argument 'nunpy' is invalid. Allowed choices are cuda, sycl, host, numpy.\n",
    ],
    [['inspect', '--\u001b[31m\u202e'], "error: unknown option '--\\u001b[31m\\u202e'\n"],
    [
      ['inspect', '\u001b[31m\u202e'],
      'error: \\u001b[31m\\u202e: expected a file, got nothing of that name\n',
    ],
  ])('%j: one line says what was expected', async (args, line) => {
    expect(await run(args)).toMatchObject({ status: 2, stderr: line });
  });

  it('prints its version', async () => {
    expect(await run(['--version'])).toMatchObject({ status: 0, stdout: '0.0.0\n' });
  });

  it('ends quietly if its reader stops reading', () => {
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
      env: {
        ARRAY_INTERFACE_ADDON_DIR: '/nowhere',
        ARRAY_INTERFACE_PYTHON: '/nowhere/python3',
      },
    });
    rmSync(cwd, { recursive: true });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('the sycl addon at /nowhere/sycl.node cannot be loaded');
    expect(stderr).toContain('to get it: install @array-interface/sycl again');
  });

  it.each([
    ["Object.defineProperty(process, 'arch', { value: 'arm64' })", 'linux arm64 with glibc'],
    ['process.report.getReport = () => ({ header: {} })', `linux ${process.arch} with musl`],
  ])('refuses before it creates anything, with %s', async (pretence, here) => {
    const cache = mkdtempSync(path.join(tmpdir(), 'array-interface-'));
    const { status, stdout, stderr } = await run(['setup', 'sycl'], '', {
      env: {
        ARRAY_INTERFACE_ADDON_DIR: '/nowhere',
        ARRAY_INTERFACE_PYTHON: '/nowhere/python3',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretence)}`,
        XDG_CACHE_HOME: cache,
      },
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `no SYCL runtime: dpctl's runtime exists for linux x64 with glibc only, but this is ${here}\n` +
        'to get it: use the host or the CUDA backend here; if you have built both dpctl and the SYCL addon, ' +
        'name libDPCTLSyclInterface.so in ARRAY_INTERFACE_DPCTL_LIBRARY\n',
    );
    expect(readdirSync(cache)).toEqual([]);
    rmSync(cache, { recursive: true });
  });

  it('needs a home folder, or the name of another folder', async () => {
    const pretence = `import os from 'node:os';
      import { syncBuiltinESMExports } from 'node:module';
      os.homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); };
      syncBuiltinESMExports();`;
    const { status, stderr } = await run(['setup', 'sycl'], '', {
      env: {
        ARRAY_INTERFACE_PYTHON: '/nowhere/python3',
        HOME: '',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretence)}`,
        XDG_CACHE_HOME: '',
      },
    });
    expect(status).toBe(1);
    expect(stderr).toContain('no SYCL runtime: the user has no home folder');
    expect(stderr).toContain('to get it: name a folder for it in XDG_CACHE_HOME, or add --here');
  });

  it('shows values of the environment without control characters', async () => {
    const { status, stderr } = await run(['setup', 'sycl'], '', {
      env: { ARRAY_INTERFACE_DPCTL_LIBRARY: '/nowhere\u001b[31m\u202e' },
    });
    expect(status).toBe(1);
    expect(stderr).toContain('/nowhere\\u001b[31m\\u202e does not exist');
    expect(stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });
});
