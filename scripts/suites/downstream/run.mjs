import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { demandKnown } from '../../arguments.mjs';
import { provideEnvironment } from '../../python/environment.mjs';
import { capture, job, must, outputOf, root } from '../../run.mjs';
import { setup } from '../../setup/setup.mjs';
import { addOutcomes, countsOf, differences, recordOf } from './compare.mjs';
import { SUITES } from './suites.mjs';

// npm run suites -- NAME PATH [--write] [PART…]: runs a library's own tests on the CUDA simulator, and
// compares what each comes to with testing/peers/suites/NAME.json. PATH is a clone of its repository,
// bare or not, which is read and not changed. With PARTs, only files whose path contains one of them
// run. --write stores what came out, each new exception with what the test said: a person then says
// why.
const simulator = path.join(root, 'packages/cuda-simulator/bin/cuda-simulator.js');
const records = path.join(root, 'testing/peers/suites');

/** Unpacks what a suite needs of a repository, and returns its test files. */
async function checkOut(repository, { commit, paths, tests }, folder) {
  const archive = path.join(folder, 'archive.tar');
  const git = ['-C', repository];
  await must('git', [...git, 'archive', `--output=${archive}`, commit, '--', ...paths]);
  await must('tar', ['--extract', '--file', archive, '--directory', folder]);
  const listed = await outputOf('git', [...git, 'ls-tree', '-r', '--name-only', commit]);
  const files = listed.split('\n').filter((file) => tests.some((one) => one.test(file)));
  return files.sort();
}

/**
 * Runs files of tests. Returns what each test comes to, by name. After a process ends early, because a
 * test has crashed it, hung, or broken its context, another one runs what is left.
 */
async function runFiles(files, { python, env, folder, limit }) {
  const written = path.join(folder, 'outcomes.jsonl');
  const before = path.join(folder, 'before.txt');
  const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', '-p', 'outcomes', '-q', ...files];
  const outcomes = new Map();
  for (let isLeft = true; isLeft; ) {
    const known = outcomes.size;
    writeFileSync(before, [...outcomes.keys()].join('\n'));
    writeFileSync(written, '');
    const { status, output } = await capture(process.execPath, [simulator, python, ...pytest], {
      cwd: folder,
      env: { ...env, OUTCOMES: written, OUTCOMES_BEFORE: before, OUTCOMES_LIMIT: String(limit) },
    });
    const lines = readFileSync(written, 'utf8').split('\n').filter(Boolean);
    isLeft = addOutcomes(outcomes, lines.map(JSON.parse), status);
    if (isLeft && outcomes.size === known) throw new Error(`status ${status}\n${output}`);
    console.log(`${outcomes.size} tests; ${isLeft ? `status ${status}, so again` : 'all'}`);
  }
  return outcomes;
}

/** Runs the tests of a suite. Returns what each comes to, by name. */
async function runSuite(suite, repository, parts) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'array-interface-suite-'));
  try {
    const files = await checkOut(repository, suite, folder);
    const isWanted = (file) => parts.length === 0 || parts.some((one) => file.includes(one));
    const { python } = suite.environment;
    const variables = await suite.variables(suite.environment, folder);
    const PYTHONPATH = [records, variables.PYTHONPATH].filter(Boolean).join(path.delimiter);
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...variables, PYTHONPATH };
    const { limit } = suite;
    return await runFiles(files.filter(isWanted), { python, env, folder, limit });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const date = () =>
  new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

async function main(name, repository, { writes, parts }) {
  const suite = SUITES[name];
  await setup();
  await provideEnvironment(suite.environment);
  const outcomes = await runSuite(suite, path.resolve(repository), parts);
  const file = path.join(records, `${name}.json`);
  const record = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { files: {}, exceptions: [] };
  console.table([countsOf(outcomes)]);
  const lines = differences(outcomes, record);
  if (!writes && lines.length > 0) throw new Error(lines.join('\n'));
  for (const line of lines) console.log(line);
  if (!writes) return;
  const made = { date: date(), commit: suite.commit, ...recordOf(outcomes, record) };
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
}

const [name, repository, ...rest] = process.argv.slice(2);
demandKnown([name], Object.keys(SUITES), 'the name of a suite');
const writes = rest.includes('--write');
const parts = rest.filter((one) => one !== '--write');
await job(() => {
  if (repository === undefined)
    throw new Error('expected the path of a clone, got none: npm run suites -- NAME PATH');
  return main(name, repository, { writes, parts });
});
