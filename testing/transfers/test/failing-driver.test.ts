import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { libraryPath } from '@array-interface/cuda-simulator';
import { expect, test } from 'vitest';

// Calls of the driver that the simulator lets fail, in a process of their own. They are counted once
// nothing is pending any more, or a failure might hit the thread that frees earlier memory.

interface End {
  /** The code of the error; absent if there was none. */
  readonly code?: string;
  readonly call?: string;
  readonly bytesWritten?: number;
  /** How many bytes are the source's when the promise rejects, and a while later. */
  readonly found: readonly [then: number, later: number];
  readonly left: number;
}

const PROGRAM = `
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { cuda, liveAllocations } from '@array-interface/cuda';
import { host } from '@array-interface/host';
const [way, fault, probe, chunkBytes] = process.argv.slice(1);
const [from, to] = way === 'up' ? [host, cuda] : [cuda, host];
const [source, target] = [from.empty([40_000], 'uint8'), to.empty([40_000], 'uint8')];
await from.fill(source, 1);
await to.fill(target, 0);
await cuda.synchronize();
while (liveAllocations() > 1) await pause(10);
createRequire(import.meta.url)(probe).fail(fault);
const count = async () => (await to.toTypedArray(target)).filter(Boolean).length;
const error = await to.copy(target, source, { chunkBytes: Number(chunkBytes) }).catch((reason) => reason);
const { code, call, bytesWritten } = error ?? {};
const then = await count();
await from.fill(source, 2).catch(() => {});
await pause(20);
const found = [then, await count()];
for (const array of [source, target]) array[Symbol.dispose]();
for (let i = 0; i < 10_000 && liveAllocations() > 0; i++) await pause(10);
console.log(JSON.stringify({ code, call, bytesWritten, found, left: liveAllocations() }));
process.exit(0);
`;

async function endOf(way: 'up' | 'down', fault: string, chunkBytes = 1000): Promise<End> {
  const probe = new URL(
    '../../../packages/cuda/build/Release/test/driver_probe.node',
    import.meta.url,
  );
  const given = [way, fault, fileURLToPath(probe), String(chunkBytes)];
  const args = ['--input-type=module', '--eval', PROGRAM, ...given];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, ARRAY_INTERFACE_LIBCUDA: libraryPath },
    timeout: 300_000,
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

test('no memory for another chunk: the existing ones are enough', async () => {
  const end = await endOf('down', 'cuMemHostAlloc:2,cuMemHostAlloc:3');
  expect(end).toEqual({ found: [40_000, 40_000], left: 0 });
});

test('no memory for a chunk: nothing is written', async () => {
  // more than the staging that filled them keeps
  const end = await endOf('down', 'cuMemHostAlloc:*', 20_000);
  expect(end).toMatchObject({ code: 'ERR_OUT_OF_MEMORY', bytesWritten: 0, found: [0, 0], left: 0 });
});
