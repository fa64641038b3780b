import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Runs an example often and prints what is left, for run-often.ts. It collects garbage only where it can.
const [file, times] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const packages = new URL('../../../packages/', import.meta.url);

let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ['gc'] });

const print = console.log;
console.log = () => {};
const { default: example } = await import(pathToFileURL(file).href);
for (let i = 0; i < Number(times); i++) await example();

const loaded = readFileSync('/proc/self/maps', 'utf8');
let left = await look();
for (let i = 0; i < 5000 && Object.keys(left).length > 0; i++) {
  globalThis.gc?.();
  await pause(20);
  left = await look();
}
print(JSON.stringify({ collections, left }));

/** What strangers count: the simulator, and for the others their allocators. */
async function look() {
  const found = {};
  for (const name of ['host', 'cuda', 'sycl']) {
    if (!loaded.includes(`/${name}.node`)) continue;
    const counts = await countsOf(name);
    for (const [what, count] of Object.entries(counts)) {
      if (count > 0) found[`${name} ${what}`] = count;
    }
  }
  return found;
}

async function countsOf(name) {
  const module = await import(`@array-interface/${name}`);
  if (name === 'host') return { allocations: module.liveAllocations() };
  await module[name].releaseCached();
  if (name === 'sycl') return { allocations: module.liveAllocations() };
  const probe = fileURLToPath(new URL('cuda/build/Release/test/driver_probe.node', packages));
  if (!existsSync(probe)) throw new Error(`expected ${probe}; build it with npm run setup`);
  // The backend keeps a stream for each device that it worked on.
  const { live } = require(probe);
  return { allocations: live('allocations'), streams: Math.max(0, live('streams') - 2) };
}
