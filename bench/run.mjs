import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writePage } from './report/page.mjs';
import { isPlotted, plot } from './report/plot.mjs';
import { table } from './report/table.mjs';
import { benchmarksIn, runApart } from './runner/apart.mjs';
import { machine } from './runner/machine.mjs';

// npm run bench [-- NAME…]: runs the benchmarks of those names, or all, one after another, each in
// its own process. Prints the measurements, stores them in results/NAME.json, plots them in
// results/NAME.svg and updates the page. A failed benchmark keeps its earlier result, and the
// others run.
const folder = path.dirname(fileURLToPath(import.meta.url));
const results = path.join(folder, 'results');
const files = benchmarksIn(folder);
const names = [...files.keys()].sort();

/** Runs one benchmark in this process and stores its result. */
async function runHere(name) {
  const { default: benchmark } = await import(pathToFileURL(files.get(name)));
  const { what, plot: plotted } = benchmark;
  const about = machine();
  const result = { name, what, machine: about, plot: plotted, ...(await benchmark.run()) };
  mkdirSync(results, { recursive: true });
  writeFileSync(path.join(results, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  if (isPlotted(result)) writeFileSync(path.join(results, `${name}.svg`), await plot(result));
  console.log(table(result));
  // A backend may still have its own threads, and a peer's process its pipes.
  process.exit();
}

function runOne(name) {
  console.log(`\n${name}`);
  const { status, signal } = runApart(folder, name, { stdio: 'inherit' });
  if (status === 0) return;
  console.error(`${name} failed: ${signal ?? `exit status ${status}`}; its result is as it was`);
  process.exitCode = 1;
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--here') {
  await runHere(rest[0]);
} else {
  const wanted = first === undefined ? names : [first, ...rest];
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    console.error(`expected names of benchmarks (${names.join(', ')}), got ${unknown.join(', ')}`);
    process.exitCode = 2;
  } else {
    wanted.forEach(runOne);
    for (const missed of writePage()) console.log(`without a reason in reasons.json: ${missed}`);
  }
}
