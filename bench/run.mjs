import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { machine } from './machine.mjs';
import { table } from './table.mjs';

// npm run bench [-- NAME…]: the benchmarks of those names, or all, one after the other, each in a
// process of its own; what they measured is printed and kept in results/NAME.json.
const folder = path.dirname(fileURLToPath(import.meta.url));
const benchmarks = path.join(folder, 'benchmarks');
const results = path.join(folder, 'results');
const names = readdirSync(benchmarks).map((file) => path.basename(file, '.mjs'));

/** Runs one benchmark in this process and keeps what it gives. */
async function runHere(name) {
  const { default: benchmark } = await import(path.join(benchmarks, `${name}.mjs`));
  const measured = await benchmark.run();
  const result = { name, what: benchmark.what, machine: machine(), ...measured };
  mkdirSync(results, { recursive: true });
  writeFileSync(path.join(results, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  console.log(`\n${name}: ${benchmark.what}\n${table(result.rows)}`);
  for (const line of result.notRun ?? []) console.log(`not run: ${line}`);
}

function runApart(name) {
  const own = ['--expose-gc', fileURLToPath(import.meta.url), '--here', name];
  const { status } = spawnSync(process.execPath, own, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
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
    wanted.forEach(runApart);
  }
}
