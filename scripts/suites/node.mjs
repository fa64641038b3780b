import path from 'node:path';
import { environment, root } from '../run.mjs';
import { folder, homeOf, isHere, VERSIONS } from '../setup/node-versions.mjs';
import { setup } from '../setup/setup.mjs';
import { demandRuntime } from '../sycl/runtime.mjs';
import { addons, testFiles } from '../workspace.mjs';
import { counted } from './counts.mjs';

// npm run test:node [-- MAJOR…]: runs the packages' tests with the built addons on several versions
// of Node, without rebuilding them. They run the tests of what an addon uses of Node; npm test covers
// the oldest. Those of cuda and sycl, which share that code with the host's addon, run on the newest,
// and so do all other tests of the addons that work without a driver. With ARRAY_INTERFACE_WHOLE=1
// each version runs each addon, and the newest all tests; a version that is named runs all. Random
// cases do not depend on Node, so it runs a quarter of them, unless ARRAY_INTERFACE_RUNS is set. The
// versions are downloaded once, from npm, into .node-versions (0.7 GB).
const NEWEST = VERSIONS.at(-1);
const WITH_DRIVER = ['cuda', 'sycl'];
/** The tests of memory that Node wraps, collects and counts, of its threads, and of its exit. */
const OF_NODE = [
  'addon',
  'array',
  'buffers',
  'collection',
  'ends',
  'exit',
  'in-place',
  'lifetimes',
  'live-counts',
  'threads',
  'worker',
];
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');

const major = (version) => version.split('.')[0];

const isWhole = process.env.ARRAY_INTERFACE_WHOLE === '1';
const isOfDriver = (name) => WITH_DRIVER.includes(name) && !isWhole;

/** The files of an addon's tests that a version runs. */
function filesOf(version, name, wanted) {
  const isAll = wanted.length > 0 || (version === NEWEST && !isOfDriver(name));
  return testFiles(`packages/${name}`, (subject) => isAll || OF_NODE.includes(subject));
}

/** Runs test files of a package on the Node in a folder. Returns vitest's counts. */
function test(home, version, name, files) {
  const base = environment();
  const PATH = `${home}${path.delimiter}${base.PATH}`;
  const env = { ...base, PATH, ARRAY_INTERFACE_RUNS: base.ARRAY_INTERFACE_RUNS || '0.25' };
  const cwd = path.join(root, 'packages', name);
  const report = path.join(folder, `${name}-${major(version)}.json`);
  return counted(report, path.join(home, 'node'), [vitest, 'run', ...files], { cwd, env });
}

async function main() {
  const wanted = process.argv.slice(2);
  const rows = [];
  for (const version of VERSIONS) {
    if (wanted.length > 0 && !wanted.includes(major(version))) continue;
    if (wanted.length === 0 && version === process.versions.node) {
      console.log(`Node ${version} runs this: npm test is its run.`);
      continue;
    }
    const home = await homeOf(version);
    for (const name of addons()) {
      if (wanted.length === 0 && version !== NEWEST && isOfDriver(name)) continue;
      const files = filesOf(version, name, wanted);
      rows.push({ node: version, package: name, ...(await test(home, version, name, files)) });
    }
  }
  console.table(rows);
  process.exitCode = rows.length > 0 && rows.every(({ ok }) => ok) ? 0 : 1;
}

if (isHere) {
  await setup();
  await demandRuntime();
  await main();
} else {
  console.log('Not run: these versions of Node are for Linux x64, and this is another machine.');
  if (process.env.ARRAY_INTERFACE_ALLOW_MISSING !== '1') process.exitCode = 1;
}
