import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { demandKnown } from '../arguments.mjs';
import { provideEnvironment } from '../python/environment.mjs';
import { findPythons, VERSIONS, WITH_DPCTL } from '../python/versions.mjs';
import { environment, root } from '../run.mjs';
import { setup } from '../setup/setup.mjs';
import { counted } from './counts.mjs';

// npm run test:python [-- VERSION…]: runs the tests of packages/python with the addon as built, in the
// oldest and the newest Python of this machine, in all of them if ARRAY_INTERFACE_WHOLE is 1, or in
// those of a version (3.13, 3.13t), but not in that of npm test.
// Finds them on the PATH, in /usr/bin and in pyenv, and creates an environment with NumPy from each
// (.peers/python-*, 0.1 GB). Reports which versions are not installed.
const cwd = path.join(root, 'packages', 'python');
const wanted = process.argv.slice(2);

/** The program of the Python with which npm test runs them. */
function programOfNpmTest() {
  const program = path.join(root, '.sycl-runtime', 'bin', 'python');
  return existsSync(program) ? realpathSync(program) : null;
}

/** Runs the tests in an environment. Returns vitest's counts. */
function test({ target }) {
  const env = { ...environment(), ARRAY_INTERFACE_TEST_PYTHON: target };
  return counted(`${target}.json`, 'vitest', ['run', '--exclude', WITH_DPCTL], { cwd, env });
}

/** The Pythons to run: those that were asked for, else the oldest and the newest, or all. */
function chosen(found) {
  if (wanted.length > 0) return found.filter(({ version }) => wanted.includes(version));
  if (process.env.ARRAY_INTERFACE_WHOLE === '1') return found;
  const inOrder = found.toSorted(
    (a, b) => VERSIONS.indexOf(a.version) - VERSIONS.indexOf(b.version),
  );
  return [...new Set([inOrder[0], inOrder.at(-1)])].filter(Boolean);
}

async function main() {
  const { found, missing } = findPythons();
  const rows = [];
  let isInNpmTest = false;
  for (const { full, program, environment: made } of chosen(found)) {
    if (wanted.length === 0 && program === programOfNpmTest()) {
      console.log(`Python ${full} runs them in npm test.`);
      isInNpmTest = true;
      continue;
    }
    await provideEnvironment(made);
    rows.push({ python: full, program, ...(await test(made)) });
  }
  console.table(rows);
  for (const { version, reason } of missing) {
    if (wanted.length > 0 && !wanted.includes(version)) continue;
    console.log(`not run: Python ${version}: ${reason}`);
    if (wanted.length > 0) process.exitCode = 1; // it was requested
  }
  const isRun = rows.length > 0 || isInNpmTest;
  if (!isRun || rows.some(({ ok }) => !ok)) process.exitCode = 1;
}

demandKnown(wanted, VERSIONS, 'versions');
await setup();
await main();
