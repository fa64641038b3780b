import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Bindings, countBindings } from '../../src/commands/bindings.js';
import { bin, run } from '../support/run-command.js';

interface Finding {
  readonly name: string;
  readonly available: boolean;
  readonly [key: string]: unknown;
}

const absent = {
  ARRAY_INTERFACE_LIBCUDA: '/nowhere/libcuda.so.1',
  ARRAY_INTERFACE_DPCTL_LIBRARY: '/nowhere/libDPCTLSyclInterface.so',
};

describe('doctor', () => {
  it('examines every backend, and says what to do about missing ones', async () => {
    const { status, stdout } = await run(['doctor', '--json'], '', { env: absent });
    expect(status).toBe(0);
    const { backends, python } = JSON.parse(stdout) as { backends: Finding[]; python: Finding };
    expect(backends.map(({ name }) => name)).toEqual(['host', 'cuda', 'sycl']);
    for (const { available, ...finding } of backends) {
      expect(finding).toEqual(
        available
          ? expect.objectContaining({ library: expect.any(String), devices: expect.any(Array) })
          : expect.objectContaining({ reason: expect.any(String), remedy: expect.any(String) }),
      );
    }
    const [host, cuda] = backends;
    expect(host).toMatchObject({ available: true, problem: null, devices: [{ type: 'cpu' }] });
    expect(cuda?.available).toBe(false);
    expect(JSON.stringify(cuda)).toContain(absent.ARRAY_INTERFACE_LIBCUDA);
    expect(python).toMatchObject({
      available: true,
      version: expect.stringMatching(/^3\.\d+\.\d+/),
      library: expect.stringContaining('libpython3.'),
      program: expect.stringContaining('/python'),
      freeThreaded: expect.any(Boolean),
    });
  });

  // In an environment in which no .pth file imports zlib before Python has started.
  it('counts which functions of OpenSSL and zlib are Python’s own, and which Node’s', async () => {
    const bin = fileURLToPath(new URL('../../../../.sycl-runtime/bin', import.meta.url));
    const python = { ...absent, PATH: `${bin}:${process.env['PATH']}` };
    const counted = async (env: Readonly<Record<string, string>>) => {
      const { stdout } = await run(['doctor', '--json'], '', { env: { ...python, ...env } });
      return (JSON.parse(stdout) as { python: { bindings: Bindings[] } }).python.bindings;
    };
    const own = await counted({});
    expect(own.find(({ module }) => module === '_ssl')).toMatchObject({ node: 0 });
    for (const { own: functions, node } of own) expect([functions > 0, node]).toEqual([true, 0]);
    // Another library has loaded it first, as LLVM loads libz: see packages/python/README.md.
    const mixed = await counted({ LD_PRELOAD: 'libcrypto.so.3' });
    expect(mixed.find(({ module }) => module === '_ssl')?.node).toBeGreaterThan(100);
    const { stdout } = await run(['doctor'], '', { env: python });
    const lines = /^ {4}_ssl {2}calls its own OpenSSL \(functions: \d+ its own, 0 of Node\)$/m;
    expect(stdout).toMatch(lines);
  });

  it('reads the loader’s report', () => {
    expect(countBindings('nothing of the kind')).toEqual([]);
    const line = (from: string, to: string) =>
      `  77:\tbinding file ${from} [0] to ${to} [0]: normal symbol \`f' [X]`;
    const [module, node] = ['/lib/_ssl.cpython-311.so', process.execPath];
    const report = [
      line(module, node),
      line(module, '/lib/libssl.so.3'),
      line(module, '/lib/libc.so.6'),
    ];
    expect(countBindings(report.join('\n'))).toEqual([{ module: '_ssl', own: 1, node: 1 }]);
  });

  it('prints readable text', async () => {
    const { status, stdout } = await run(['doctor'], '', { env: absent });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^✓ host {2}version/m);
    expect(stdout).toMatch(/^✗ cuda {2}not available: .+\n( {4}tried .+\n)* {4}to do {2}.+/m);
    expect(stdout).toMatch(/^✗ sycl {2}not available: no SYCL runtime was found$/m);
    expect(stdout).toMatch(/^✓ python {2}version 3\..+, .+libpython3.+\n {4}program {2}\/.+$/m);
  });

  it.each([
    ['host', 0],
    ['python, host', 0],
    ['cuda', 1],
    ['host,cuda,sycl', 1],
  ])('--require %s exits with %d', async (names, wanted) => {
    const plain = await run(['doctor'], '', { env: absent });
    const { status, stdout, stderr } = await run(['doctor', '--require', names], '', {
      env: absent,
    });
    expect({ status, stdout }).toEqual({ status: wanted, stdout: plain.stdout });
    const missing = names.split(',').filter((name) => ['cuda', 'sycl'].includes(name));
    const lines = stderr.split('\n').slice(0, -1);
    expect(lines.map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual(
      missing.map((name) => `error: expected ${name}, got none`),
    );
    if (missing.includes('sycl')) {
      expect(stderr).toContain('got none: no SYCL runtime was found; ');
    }
    const json = await run(['doctor', '--json', '--require', names], '', { env: absent });
    expect({ status: json.status, stderr: json.stderr }).toEqual({ status: wanted, stderr });
    expect(JSON.parse(json.stdout)).toHaveProperty('backends');
  });

  it('counts a backend without a device as missing', async () => {
    const simulator = fileURLToPath(
      new URL('../../../cuda-simulator/bin/cuda-simulator.js', import.meta.url),
    );
    const found = (env: NodeJS.ProcessEnv) =>
      spawnSync(
        process.execPath,
        [simulator, process.execPath, bin, 'doctor', '--require', 'cuda'],
        {
          encoding: 'utf8',
          env: { ...process.env, ...env },
        },
      );
    expect(found({})).toMatchObject({ status: 0, stderr: '' });
    const { status, stderr } = found({ CUDA_SIMULATOR_DEVICES: '0' });
    expect(stderr).toMatch(/^error: expected (?:a device of )?cuda, got none: .+; .+\n$/);
    expect(status).toBe(1);
  });

  it('says what to do if there is no Python', async () => {
    const { status, stdout } = await run(['doctor'], '', { env: { ...absent, PATH: '/nowhere' } });
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^✗ python {2}not available: .+no such program\n {4}tried {2}python3\n {4}to do {2}install/m,
    );
  });
});
