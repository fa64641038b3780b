import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { answersOfDriver } from './driver/answers.mjs';
import { driver } from './driver/driver.mjs';
import { measure, tableOf } from './figures/measure.mjs';

// node run.mjs [--simulator] [--out FILE] [--results FOLDER]: checks the CUDA backend on this
// machine's driver, and measures it against the driver's memcpy, CuPy and PyTorch. Needs only node
// and the built packages. The result of a real GPU also goes into FOLDER/gpu-NAME.json. With
// --simulator it checks the simulator instead, which says nothing about a GPU.
const { values } = parseArgs({
  options: {
    simulator: { type: 'boolean', default: false },
    out: { type: 'string', default: 'gpu-result.json' },
    results: { type: 'string' },
  },
});

const wanted = values.simulator ? 'simulator' : 'real';

function write(result) {
  const about = { node: process.version, date: new Date().toISOString(), driver };
  const text = `${JSON.stringify({ ...about, ...result }, null, 2)}\n`;
  writeFileSync(values.out, text);
  if (values.results === undefined || driver.kind !== 'real') return;
  const name = driver.devices[0].name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  mkdirSync(values.results, { recursive: true });
  writeFileSync(path.join(values.results, `gpu-${name}.json`), text);
}

function notRun(reason) {
  console.log(`not run: ${reason}`);
  write({ notRun: reason, passed: 0, failed: 0, checks: [] });
}

/** Prints the figures and returns them; null if measuring failed. */
async function measured(isReal) {
  try {
    const figures = await measure({ scale: isReal ? 1 : 32, rounds: isReal ? 15 : 1, isReal });
    for (const line of tableOf(figures)) console.log(`${isReal ? '' : 'SIMULATED '}${line}`);
    return figures;
  } catch (error) {
    console.log(`FAILED figures: ${error.stack}`);
    return null;
  }
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
  const isReal = driver.kind === 'real';
  const where = isReal ? '' : ' on the simulator, which is no GPU';
  const figures = await measured(isReal);
  const failed = checks.length - passed + (figures === null ? 1 : 0);
  const answers = await answersOfDriver().catch(() => null); // then its check has failed
  write({ notRun: null, simulated: !isReal, passed, failed, checks, answers, figures });
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
