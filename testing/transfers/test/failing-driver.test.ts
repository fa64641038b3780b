import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { libraryPath } from '@array-interface/cuda-simulator';
import { expect, test } from 'vitest';

// Calls of the driver that the simulator fails, in a process of their own: CUDA_SIMULATOR_FAIL=CALL:N.

interface End {
  /** Of the error; absent where there was none. */
  readonly code?: string;
  readonly call?: string;
  readonly bytesWritten?: number;
  /** Bytes that are the source's, when the promise rejected and a while later. */
  readonly found: readonly [then: number, later: number];
  readonly left: number;
}

const PROGRAM = `
import { setTimeout as pause } from 'node:timers/promises';
import { cuda, liveAllocations } from '@array-interface/cuda';
import { host } from '@array-interface/host';
const [from, to] = process.argv[1] === 'up' ? [host, cuda] : [cuda, host];
const source = await from.array(new Uint8Array(40_000).fill(1));
const target = await to.array(new Uint8Array(40_000));
const count = async () => (await to.toTypedArray(target)).filter(Boolean).length;
const error = await to.copy(target, source, { chunkBytes: 1000 }).catch((reason) => reason);
const { code, call, bytesWritten } = error ?? {};
const then = await count();
await from.fill(source, 2).catch(() => {});
await pause(20);
const found = [then, await count()];
for (const array of [source, target]) array[Symbol.dispose]();
for (let i = 0; i < 100 && liveAllocations() > 0; i++) await pause(10);
console.log(JSON.stringify({ code, call, bytesWritten, found, left: liveAllocations() }));
process.exit(0);
`;

async function endOf(direction: 'up' | 'down', fault: string): Promise<End> {
  const args = ['--input-type=module', '--eval', PROGRAM, direction];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, ARRAY_INTERFACE_LIBCUDA: libraryPath, CUDA_SIMULATOR_FAIL: fault },
    timeout: 60_000,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) as string) as End;
}

test.each([
  ['up', 'cuMemcpyAsync:12:CUDA_ERROR_UNKNOWN'],
  ['up', 'cuEventRecord:9:CUDA_ERROR_UNKNOWN'],
  ['up', 'cuEventQuery:9:CUDA_ERROR_UNKNOWN'],
  ['down', 'cuMemcpyAsync:12:CUDA_ERROR_UNKNOWN'],
  ['down', 'cuEventRecord:9:CUDA_ERROR_UNKNOWN'],
  ['down', 'cuEventQuery:9:CUDA_ERROR_UNKNOWN'],
] as const)(
  '%s, %s: rejects when nothing is in flight, and says what was written',
  async (way, fault) => {
    const { code, call, bytesWritten = -1, found, left } = await endOf(way, fault);
    expect({ code, call }).toEqual({ code: 'ERR_CUDA', call: fault.split(':')[0] });
    expect(bytesWritten % 1000).toBe(0);
    expect(bytesWritten).toBeLessThan(40_000);
    expect(found[0]).toBeGreaterThanOrEqual(bytesWritten);
    expect(found[1]).toBe(found[0]);
    expect(left).toBe(0);
  },
);

test('no room for another chunk: those that there are do', async () => {
  const end = await endOf('down', 'cuMemHostAlloc:3');
  expect(end).toEqual({ found: [40_000, 40_000], left: 0 });
});

test('no room for a chunk: nothing is written', async () => {
  const end = await endOf('down', 'cuMemHostAlloc:2');
  expect(end).toMatchObject({ code: 'ERR_OUT_OF_MEMORY', bytesWritten: 0, found: [0, 0], left: 0 });
});
