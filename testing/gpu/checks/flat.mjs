import assert from 'node:assert/strict';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';
import { driver } from '../driver/driver.mjs';
import { probe } from '../driver/probe.mjs';

const COPIES = 100_000;
const MIB = 2 ** 20;

check(`${COPIES} copies leave no events and no memory`, async ({ use, observed }) => {
  const [from, to] = [use(cuda.empty([64], 'uint8')), use(cuda.empty([64], 'uint8'))];
  await cuda.fill(from, 1);
  const round = async () => {
    for (let i = 0; i < COPIES / 10; i++) await cuda.copy(to, from);
    await cuda.synchronize();
  };
  await round();
  const before = process.memoryUsage();
  for (let i = 0; i < 10; i++) await round();
  const after = process.memoryUsage();
  const native = after.rss - before.rss - Math.max(0, after.heapTotal - before.heapTotal);
  observed['MiB of native memory more'] = (native / MIB).toFixed(1);
  assert.ok(native < 24 * MIB);
  // The driver does not tell how many events there are; the simulator does.
  if (driver.kind === 'simulator') assert.ok(probe.live('events') < 100);
});

const SIDE = 1024; // the first copy of 2^20 elements asks for a kernel of its own

check('kernels are compiled off the thread', async ({ use, observed }) => {
  const source = use(cuda.empty([SIDE, SIDE], 'int16'));
  const target = use(cuda.empty([SIDE, SIDE], 'float64'));
  await cuda.fill(source, 7);
  await cuda.synchronize();
  const start = performance.now();
  const copied = cuda.copy(target, source.permuteDims([1, 0]));
  observed['ms in the call'] = (performance.now() - start).toFixed(1);
  await copied;
  await cuda.whenKernelsReady();
  observed['ms until the kernel was built'] = (performance.now() - start).toFixed(1);
  assert.ok(Number(observed['ms in the call']) < 50);
  await cuda.copy(target, source.permuteDims([1, 0]));
  assert.ok((await cuda.toTypedArray(target)).every((value) => value === 7));
});
