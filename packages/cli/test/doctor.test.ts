import { describe, expect, it } from 'vitest';
import { run } from './run-command.js';

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
  it('examines every backend and says what to do about each that is not there', async () => {
    const { status, stdout } = await run(['doctor', '--json'], '', { env: absent });
    expect(status).toBe(0);
    const { backends } = JSON.parse(stdout) as { backends: Finding[] };
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
  });

  it('prints it for people', async () => {
    const { status, stdout } = await run(['doctor'], '', { env: absent });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^✓ host {2}version/m);
    expect(stdout).toMatch(/^✗ cuda {2}not available: .+\n( {4}tried .+\n)* {4}to do {2}.+/m);
    expect(stdout).toMatch(/^✗ sycl {2}not available: no SYCL runtime was found$/m);
  });
});
