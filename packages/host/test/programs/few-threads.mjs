import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { defineKernel } from '@array-interface/core/kernel';
import { host } from '@array-interface/host';

// Launches a C kernel on four threads, of which the system creates only the first. Prints what the
// kernel did, and how many threads are left.
const folder =
  process.env.ARRAY_INTERFACE_ADDON_DIR || join(import.meta.dirname, '../../build/Release');
const { showParts } = createRequire(import.meta.url)(join(folder, 'test/test_kernels.node'));
const kernel = defineKernel({
  name: 'showParts',
  parameters: { target: { write: 'uint32' } },
  code: { host: { address: showParts } },
});

const threadCount = () => readdirSync('/proc/self/task').length;

const queue = host.createQueue({ threads: 4 });
const launch = async () => {
  const target = host.empty([4], 'uint32');
  await host.fill(target, 0);
  await host.launch(kernel, { range: [1, 4], queue }, { target });
  return [...(await host.toTypedArray(target))];
};
await launch(); // one thread polls whether kernels have ended; it stays
const before = threadCount();
process.env.REFUSING_SYSTEM = 'second threads';
const parts = await launch();
delete process.env.REFUSING_SYSTEM;
for (let tries = 0; tries < 1000 && threadCount() > before; tries++) await setTimeout(10);
console.log(JSON.stringify({ parts, left: Math.max(0, threadCount() - before) }));
