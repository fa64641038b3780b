import { existsSync } from 'node:fs';
import path from 'node:path';
import { root, run } from '../run.mjs';
import { setup } from '../setup/setup.mjs';
import { explain, provide } from '../sycl/runtime.mjs';
import { neededBy } from '../workspace.mjs';
import { testCached } from './cached.mjs';

// npm test: sets up, provides the SYCL runtime, and runs the tests of all projects that changed
// since their tests last passed. npm test -- ARGUMENTS OF VITEST always runs the tests that they
// name. If all are in one package, builds only that one and its dependencies: core needs neither a
// C++ compiler nor SYCL.
const args = process.argv.slice(2);

/** The folder of the package that all arguments are in, if there is one. */
function packageOf() {
  const folders = args.map((arg) => /^packages\/[^/]+(?=\/|$)/.exec(arg)?.[0]);
  const isOne = new Set(folders).size === 1 && existsSync(`${root}/${folders[0]}/package.json`);
  return isOne ? folders[0] : undefined;
}

async function test(folder) {
  await setup(folder);
  const needsSycl =
    folder === undefined || neededBy(folder).includes(path.join(root, 'packages/sycl'));
  const outcome = needsSycl ? await provide() : { state: 'ready' };
  if (outcome.state !== 'ready') {
    console.error('The tests need a SYCL runtime, and are not run without one.');
    console.error(explain(outcome));
    return 1;
  }
  return args.length > 0 ? run('vitest', ['run', ...args]) : testCached(outcome.library);
}

process.exitCode = await test(packageOf());
