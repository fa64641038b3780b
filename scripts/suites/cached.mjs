import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { environment, root, run } from '../run.mjs';
import { testProjects } from '../workspace.mjs';
import { addCounts } from './counts.mjs';
import { leftOutTests } from './left-out.mjs';

// Each project's script writes its counts here. turborepo restores them with a cached success.
const reports = () =>
  testProjects().map((folder) => path.join(root, folder, '.vitest', 'report.json'));

/** The properties of the machine that tests depend on, besides turbo.json's files and variables. */
function machine(library) {
  const { mtimeMs, size } = statSync(library);
  const python = spawnSync('python3', ['--version'], { encoding: 'utf8' }).stdout?.trim();
  const system = [os.platform(), os.arch(), os.release(), os.cpus()[0]?.model, os.userInfo().uid];
  return JSON.stringify([process.version, ...system, python, library, mtimeMs, size]);
}

/** Adds up the counts, and prints what was skipped. Returns false if a project wrote none. */
function count() {
  const missing = reports().filter((file) => !existsSync(file));
  for (const file of missing) console.error(`expected ${file} from the test script beside it`);
  const found = reports().filter((file) => existsSync(file));
  const parts = found.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  for (const line of parts.flatMap((part) => leftOutTests(part))) console.log(line);
  addCounts(parts, 'projects');
  return missing.length === 0;
}

/** Runs the tests of every project that changed since its tests last passed. */
export async function testCached(library) {
  for (const file of reports()) rmSync(file, { force: true });
  // One more than there are cores, since tests of devices mostly wait.
  const concurrency = `--concurrency=${os.availableParallelism() + 1}`;
  const options = ['--continue=always', '--output-logs=new-only', concurrency];
  const status = await run('turbo', ['run', 'test', 'test:scripts', ...options], {
    env: {
      ...environment(),
      TURBO_TELEMETRY_DISABLED: '1',
      ARRAY_INTERFACE_TEST_MACHINE: machine(library),
    },
  });
  return count() || status !== 0 ? status : 1;
}
