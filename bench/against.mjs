import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { namesIn, runApart } from './runner/apart.mjs';
import { median } from './runner/median.mjs';

// npm run bench:against -- CHECKOUT [NAME…]: runs the benchmarks of those names, or all, three
// times alternately here and in another checkout, which must be set up. Prints each of this
// library's times in that checkout and here, and the ratio of the medians. Marks ratios below
// LEAST. Does not change the stored results.
const ROUNDS = 3;
const LEAST = 0.9;
const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** This library's times of a benchmark in a checkout, by what was done; none if it failed. */
function timesOf(checkout, name) {
  const options = { cwd: checkout, encoding: 'utf8' };
  const { status, stderr } = runApart(path.join(checkout, 'bench'), name, options);
  if (status !== 0) {
    console.error(`${name} failed in ${checkout}: ${stderr.trim().split('\n').at(-1)}`);
    return new Map();
  }
  const { rows } = JSON.parse(readFileSync(resultsOf(checkout, `${name}.json`), 'utf8'));
  const ours = rows.filter(({ who, nanoseconds }) => who.startsWith('ours') && nanoseconds > 0);
  return new Map(ours.map(({ work, who, nanoseconds }) => [`${work}, ${who}`, nanoseconds]));
}

function resultsOf(checkout, ...parts) {
  return path.join(checkout, 'bench/results', ...parts);
}

/** What was done in every round, with its median. */
function medians(rounds) {
  const works = [...rounds[0].keys()].filter((work) => rounds.every((one) => one.has(work)));
  return new Map(works.map((work) => [work, median(rounds.map((one) => one.get(work)))]));
}

function compare(other, name) {
  const theirs = [];
  const ours = [];
  for (let round = 0; round < ROUNDS; round++) {
    theirs.push(timesOf(other, name));
    ours.push(timesOf(here, name));
  }
  const before = medians(theirs);
  for (const [work, now] of medians(ours)) {
    if (!before.has(work)) {
      console.log(`${name}: ${work}: ${now.toFixed(0)} ns, not measured there`);
      continue;
    }
    const ratio = before.get(work) / now;
    if (ratio < LEAST) process.exitCode = 1;
    const mark = ratio < LEAST ? '  <-- slower' : '';
    const [then, times] = [before.get(work).toFixed(0), ratio.toFixed(2)];
    console.log(`${name}: ${work}: ${then} ns there, ${now.toFixed(0)} here, ${times} x${mark}`);
  }
}

/** Runs `work` while the stored results of a checkout are moved elsewhere, and restores them. */
function keepingResults(checkout, work) {
  const kept = mkdtempSync(path.join(tmpdir(), 'bench-results-'));
  cpSync(resultsOf(checkout), kept, { recursive: true });
  try {
    work();
  } finally {
    cpSync(kept, resultsOf(checkout), { recursive: true });
    rmSync(kept, { recursive: true });
  }
}

const [other, ...names] = process.argv.slice(2);
if (other === undefined) {
  console.error(
    'expected the folder of another checkout of this repository, built by npm run setup',
  );
  process.exitCode = 2;
} else {
  const wanted = names.length > 0 ? names : namesIn(path.join(here, 'bench'));
  const compareAll = () => {
    for (const name of wanted) compare(other, name);
  };
  keepingResults(other, () => keepingResults(here, compareAll));
}
