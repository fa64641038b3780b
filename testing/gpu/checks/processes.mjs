import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { cuda, liveAllocations } from '@array-interface/cuda';
import { check } from '../check.mjs';

const program = fileURLToPath(new URL('../programs/pending.mjs', import.meta.url));

check('worker threads load, use and end', async () => {
  const ends = Array.from({ length: 4 }, () => {
    const worker = new Worker(program);
    return new Promise((resolve, reject) => {
      worker.once('exit', resolve).once('error', reject);
    });
  });
  assert.deepEqual(await Promise.all(ends), [0, 0, 0, 0]);
});

check('processes end well with work pending', () => {
  const { status, signal, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  assert.deepEqual({ status, signal, stderr }, { status: 0, signal: null, stderr: '' });
});

async function useMemory() {
  const array = await cuda.array(new Uint8Array(4096));
  const other = cuda.empty([4096], 'uint8', { memoryKind: 'shared' });
  await cuda.copy(other, array.flip());
  await cuda.toTypedArray(other);
  for (const one of [array, other]) one[Symbol.dispose]();
}

check('what is disposed is given back', async ({ observed }) => {
  await useMemory();
  await cuda.synchronize();
  const before = liveAllocations();
  for (let i = 0; i < 20; i++) await useMemory();
  const end = Date.now() + 10_000;
  while (liveAllocations() > before && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  observed['live before and after'] = [before, liveAllocations()];
  assert.ok(liveAllocations() <= before);
});
