import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

// node run.mjs [--simulator] [--out FILE]: checks of the CUDA backend on the machine's own driver.
// Needs node, the built packages and nothing else. With --simulator it is the simulator that is
// checked, which says nothing about a GPU.
const { values } = parseArgs({
  options: {
    simulator: { type: 'boolean', default: false },
    out: { type: 'string', default: 'gpu-result.json' },
  },
});

const { driver } = await import('./driver.mjs');
const wanted = values.simulator ? 'simulator' : 'real';

function write(result) {
  const about = { node: process.version, date: new Date().toISOString(), driver };
  writeFileSync(values.out, `${JSON.stringify({ ...about, ...result }, null, 2)}\n`);
}

function notRun(reason) {
  console.log(`not run: ${reason}`);
  write({ notRun: reason, passed: 0, failed: 0, checks: [] });
}

if (driver.kind === wanted) {
  const { library, version, devices } = driver;
  console.log(`driver ${version} at ${library}`);
  for (const { index, name, memory } of devices) {
    console.log(`device ${index}: ${name}, ${(memory / 2 ** 30).toFixed(1)} GiB`);
  }
  await import('./checks/all.mjs');
  const { runChecks } = await import('./check.mjs');
  const checks = await runChecks();
  const passed = checks.filter(({ ok }) => ok).length;
  const failed = checks.length - passed;
  write({ notRun: null, passed, failed, checks });
  const where = driver.kind === 'simulator' ? ' on the simulator, which is no GPU' : '';
  console.log(`${passed} passed, ${failed} failed${where}; ${values.out}`);
  if (failed > 0) process.exitCode = 1;
} else if (driver.kind === 'none') {
  notRun(`no CUDA driver that can be used: ${driver.reason}`);
  if (values.simulator) process.exitCode = 1;
} else if (driver.kind === 'simulator') {
  notRun(`${driver.library} is the CUDA simulator and no GPU; to check it, say --simulator`);
} else {
  notRun(`--simulator, and ${driver.library} is a real driver`);
  process.exitCode = 1;
}
