import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { capture, environment, root } from '../../run.mjs';
import { readPlants } from './plants.mjs';
import { Sandbox } from './sandbox.mjs';

// npm run test:gate [-- ID or FAMILY…]: plants mistakes in a copy of the checkout, one after
// another. Reports for each whether its tests detect it within two minutes, and say what is wrong.
// The mistakes are in testing/gate/plants.
const LIMIT_MS = 120_000;
// A mistake may also take memory without end, and must not take the machine's. Tests of huge copies
// reserve 17 GiB, of which they touch little.
const MOST_BYTES = 20 * 2 ** 30;
const asked = process.argv.slice(2);
const all = readPlants();
const chosen = all.filter(
  ({ id, family }) => asked.length === 0 || asked.includes(id) || asked.includes(family),
);
if (chosen.length === 0) throw new Error(`expected ids or families, got ${asked.join(', ')}`);

const sandbox = new Sandbox();
const env = { ...environment(), CCACHE_BASEDIR: sandbox.folder, CI: '1', NO_COLOR: '1' };
env.PATH = env.PATH.replace(root, sandbox.folder);

/** Runs a command in the copy. Kills it, and everything that it started, after the limit. */
const command = (folder, limit, ...args) =>
  capture('prlimit', [`--data=${MOST_BYTES}`, ...args], { cwd: sandbox.path(folder), env, limit });

/** The folder of the project that contains a file. */
function projectOf(file) {
  return /^((packages|testing|examples)\/[^/]+|native|scripts|pip|docs)/.exec(file)?.[0] ?? '.';
}

function scriptsOf(folder) {
  const manifest = sandbox.path(path.join(folder, 'package.json'));
  return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')).scripts ?? {}) : {};
}

/** What must be rebuilt if files change: their packages, or what the tests load of `native`. */
function buildsOf({ changes, tests }) {
  const builds = new Map();
  for (const { file } of changes) {
    const own = projectOf(file);
    if (/\.(cpp|hpp|h|cl|ptx|spv)$/.test(file)) {
      const folders = own === 'native' ? tests.map(projectOf) : [own];
      for (const folder of folders) {
        if (scriptsOf(folder)['build:native'])
          builds.set(`${folder}:native`, [folder, 'npm', 'run', 'build:native']);
      }
    } else if (/\.ts$/.test(file) && scriptsOf(own)['build:ts']) {
      builds.set(own, [own, 'node', sandbox.path('scripts/package/bundle.mjs')]);
    }
  }
  return builds;
}

async function build(builds) {
  for (const [folder, ...args] of builds.values()) {
    const { status, output } = await command(folder, 900_000, ...args);
    if (status !== 0) return output;
  }
  return null;
}

/** Runs test files until one fails. */
async function test(files, limit) {
  for (const project of new Set(files.map(projectOf))) {
    const names = files
      .filter((file) => projectOf(file) === project)
      .map((file) => path.relative(project, file));
    // A test that only waits is reported before everything is killed, even if its cleanup also
    // waits.
    const timeouts = [`--testTimeout=${limit / 2}`, `--hookTimeout=${limit / 4}`];
    const ran = await command(project, limit, 'vitest', 'run', '--bail=1', ...timeouts, ...names);
    if (ran.status !== 0 || ran.hung) return ran;
  }
  return null;
}

/** What the watchdog prints about a test that does not end. */
const WATCHDOG = / for \d+ s: \//;

/** The first line of a failure's message. */
function messageOf(output) {
  const lines = output.split('\n');
  const found =
    lines.find((line) => WATCHDOG.test(line)) ??
    lines.find((line) => /^\s*(\w*Error\b|expected|→)/.test(line)) ??
    lines.findLast(Boolean);
  return (found ?? '').trim().slice(0, 240);
}

async function verdictOf(plant) {
  if (plant.equivalent !== null) return ['equivalent', plant.equivalent];
  const refused = await build(buildsOf(plant));
  if (refused !== null) return ['not built', refused.trim().split('\n').slice(-30).join('\n')];
  const failed = await test(plant.tests, LIMIT_MS);
  if (failed === null) return ['missed', ''];
  if (failed.hung && !WATCHDOG.test(failed.output))
    return ['hung', failed.output.trim().split('\n').slice(-5).join('\n')];
  if (plant.says !== null && !failed.output.includes(plant.says)) {
    return ['unclear', `expected '${plant.says}' in: ${messageOf(failed.output)}`];
  }
  return ['noticed', messageOf(failed.output)];
}

const counts = {};
let pending = new Map();
process.on('SIGINT', () => process.exit(130));
process.on('exit', () => sandbox.remove());

for (const plant of chosen) {
  const began = Date.now();
  let verdict;
  try {
    // What the previous mistake changed is built together with this one, or restored.
    for (const [key, one] of pending)
      if (!buildsOf(plant).has(key)) await build(new Map([[key, one]]));
    const gone = plant.tests.filter((file) => !existsSync(sandbox.path(file)));
    if (gone.length > 0)
      throw new Error(`expected the tests ${gone.join(', ')}, got no such files`);
    sandbox.plant(plant.changes);
    pending = buildsOf(plant);
    verdict = await verdictOf(plant);
  } catch (error) {
    verdict = ['moved on', error.message];
  }
  sandbox.restore();
  const [what, why] = verdict;
  counts[what] = (counts[what] ?? 0) + 1;
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(`${plant.id} ${plant.family}: ${what} (${seconds} s) ${why}`);
}
console.log(
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', '),
);

// A mistake is detected if its tests fail with it, and pass without.
await build(pending);
const noticed = [...new Set(chosen.flatMap(({ tests }) => tests))];
const wrong = await test(noticed, 1_200_000);
if (wrong !== null) console.error(`These fail without a mistake:\n${wrong.output.slice(-3000)}`);
process.exitCode = wrong === null && (counts.noticed ?? 0) === chosen.length ? 0 : 1;
