import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { defineKernel } from '@array-interface/core/kernel';
import { host, liveAllocations } from '@array-interface/host';
import { allowThreads, refuseThreads } from './address-space.mjs';

// Launches a kernel of C when there is no address space for the stack of a thread, and once more when
// there is. Prints how that was refused, what the kernel did, and what is left.
const folder =
  process.env.ARRAY_INTERFACE_ADDON_DIR || join(import.meta.dirname, '../../build/Release');
const { addLater } = createRequire(import.meta.url)(join(folder, 'test/test_kernels.node'));
const kernel = defineKernel({
  name: 'addLater',
  parameters: {
    elements: { write: 'float32' },
    amount: 'float32',
    gate: { read: 'int32' },
    wait: 'uint32',
  },
  code: { host: { address: addLater } },
});

const threadCount = () => readdirSync('/proc/self/task').length;

const elements = await host.array([1], { dtype: 'float32' });
const gate = await host.array([1], { dtype: 'int32' });
const before = threadCount();
const launch = () => host.launch(kernel, { range: [1] }, { elements, gate, amount: 2, wait: 0 });
refuseThreads();
const code = await launch().then(
  () => 'ran',
  (error) => error.code,
);
allowThreads();
await launch();
const [sum] = await host.toTypedArray(elements);
for (const array of [elements, gate]) array[Symbol.dispose]();
// One thread polls whether kernels have ended; it stays.
for (let tries = 0; tries < 1000 && threadCount() > before + 1; tries++) await setTimeout(10);
const left = Math.max(0, threadCount() - before - 1);
console.log(JSON.stringify({ code, sum, left, allocations: liveAllocations() }));
