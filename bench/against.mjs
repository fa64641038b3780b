import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomSeed } from '@array-interface/random';
import { benchmarksIn, runApart } from './runner/apart.mjs';
import { isOurs } from './runner/compare.mjs';

// npm run bench:against -- CHECKOUT [NAME…]: runs the benchmarks of those names, or all, without
// peers, in processes alternately here and in another checkout, which must be set up. Prints each
// of this library's times in that checkout and here, and their ratio. They are of the best of
// ROUNDS processes, since a process may be slow for its whole life, by the pages and the core that
// it gets; in each, short work takes many turns. Up to MOST run while a ratio is below LEAST; then
// it is marked. Does not change the stored results.
const ROUNDS = 4;
const MOST = 12;
const LEAST = 0.95;
/** Random layouts are the same in all processes. */
const SEED = String(randomSeed());
const here = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** This library's times of a benchmark in a checkout, by what was done; none if it failed. */
function timesOf(checkout, name) {
  const env = { BENCH_OURS: '1', BENCH_ROUNDS: '25', BENCH_SECONDS: '1', FAST_CHECK_SEED: SEED };
  const options = { cwd: checkout, encoding: 'utf8', env };
  const { status, stderr } = runApart(path.join(checkout, 'bench'), name, options);
  if (status !== 0) {
    console.error(`${name} failed in ${checkout}: ${stderr.trim().split('\n').at(-1)}`);
    return new Map();
  }
  const { rows } = JSON.parse(readFileSync(resultsOf(checkout, `${name}.json`), 'utf8'));
  const ours = rows.filter(({ who, nanoseconds }) => isOurs(who) && nanoseconds > 0);
  return new Map(ours.map(({ work, who, nanoseconds }) => [`${work}, ${who}`, nanoseconds]));
}

function resultsOf(checkout, ...parts) {
  return path.join(checkout, 'bench/results', ...parts);
}

/** Adds the times of one more process to the shortest of each work. */
function shorten(shortest, times) {
  for (const [work, time] of times) {
    shortest.set(work, Math.min(time, shortest.get(work) ?? Number.POSITIVE_INFINITY));
  }
}

function compare(other, name) {
  const before = new Map();
  const now = new Map();
  const isSlower = (work) => before.get(work) / now.get(work) < LEAST;
  for (let round = 0; round < MOST; round++) {
    if (round >= ROUNDS && ![...now.keys()].some(isSlower)) break;
    // Each begins in turn: what runs second on a machine that was at rest may be slower.
    const both = [
      () => shorten(before, timesOf(other, name)),
      () => shorten(now, timesOf(here, name)),
    ];
    for (const measure of round % 2 === 0 ? both : both.reverse()) measure();
  }
  for (const [work, time] of now) {
    if (!before.has(work)) {
      console.log(`${name}: ${work}: ${time.toFixed(0)} ns, not measured there`);
      continue;
    }
    if (isSlower(work)) process.exitCode = 1;
    const mark = isSlower(work) ? '  <-- slower' : '';
    const [then, times] = [before.get(work).toFixed(0), (before.get(work) / time).toFixed(2)];
    console.log(`${name}: ${work}: ${then} ns there, ${time.toFixed(0)} here, ${times} x${mark}`);
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
  const wanted = names.length > 0 ? names : [...benchmarksIn(path.join(here, 'bench')).keys()];
  const compareAll = () => {
    for (const name of wanted) compare(other, name);
  };
  keepingResults(other, () => keepingResults(here, compareAll));
}
