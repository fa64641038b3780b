import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchmarksIn } from '../runner/apart.mjs';
import { isPlotted } from './plot.mjs';
import { readReasons, reasonFor, unexplained } from './reasons.mjs';
import { markdown, targetCells } from './table.mjs';

const PAGE = new URL('../README.md', import.meta.url);
const BENCH = fileURLToPath(new URL('..', import.meta.url));
const RESULTS = new URL('../results/', import.meta.url);
const BEGIN = '<!-- results: written by npm run bench -->\n';
const END = '<!-- end of results -->';

/** All stored results of benchmarks, by name. Other files are inputs of a benchmark. */
export function readResults() {
  if (!existsSync(RESULTS)) return [];
  const names = benchmarksIn(BENCH);
  const files = readdirSync(RESULTS).filter(
    (file) => file.endsWith('.json') && names.has(path.basename(file, '.json')),
  );
  return files.sort().map((file) => JSON.parse(readFileSync(new URL(file, RESULTS), 'utf8')));
}

/** The page's text about results: what was measured, and why a target was missed. */
export function resultsText(results, reasons) {
  const machines = [...new Set(results.map(({ machine }) => machineText(machine)))];
  const head = ['benchmark', '', 'measured (target)'];
  return [
    `Measured on ${machines.join('; ')}. Figures in **bold** miss their targets.\n`,
    `${markdown([head, ...results.flatMap(rowsOf)])}\n`,
    ...results.flatMap(notRunOf),
    '### What is slow, and why\n',
    ...results.flatMap((result) => explained(result, reasons)),
  ].join('\n');
}

function machineText({ gpu, cpu, cores, memoryGiB, node }) {
  return `${gpu ?? `${cpu}, ${cores} cores, ${memoryGiB} GiB`}, Node ${node}`;
}

/** A row for each kind of work, with all its targets; the first one names the benchmark. */
function rowsOf(result) {
  const works = new Map();
  for (const [work, ...target] of targetCells(result).slice(1)) {
    works.set(work, [...(works.get(work) ?? []), figureBesideTarget(target)]);
  }
  const rows = [...works].map(([work, figures]) => ['', work, figures.join(', ')]);
  const [[, ...first] = ['', '', ''], ...others] = rows;
  return [[aboutCell(result), ...first], ...others];
}

function figureBesideTarget([target, figure, reached]) {
  if (figure === '') return `${reached} (${target})`;
  return `${reached === 'yes' ? figure : `**${figure}**`} (${target})`;
}

function aboutCell({ name, machine: { date, load }, ...result }) {
  const kind = isPlotted(result) ? 'svg' : 'json';
  return `[${name}](results/${name}.${kind}), ${date}${load === undefined ? '' : `, load ${load}`}`;
}

function notRunOf({ name, notRun }) {
  return notRun.map((line) => `Not run in \`${name}\`: ${line}.\n`);
}

function explained({ name, targets }, reasons) {
  const missed = targets.filter(({ reached }) => reached !== true);
  const works = new Map();
  for (const target of missed) {
    const why = reasonFor(reasons, name, target) ?? 'no reason is stated.';
    works.set(why, [...(works.get(why) ?? []), `${target.work}, ${target.target}`]);
  }
  return [...works].map(([why, which]) => `- **${name}: ${which.join('; ')}**: ${why}\n`);
}

/** Returns the page with the results' text inserted. */
export function withResults(page, text) {
  const [before, rest] = page.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  return `${before}${BEGIN}\n${text}\n${after}`;
}

/** Writes the stored results into README.md, and returns the missed targets without a reason. */
export function writePage() {
  const [results, reasons] = [readResults(), readReasons()];
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, withResults(page, resultsText(results, reasons)));
  return results.flatMap((result) =>
    unexplained(result, reasons).map((key) => `${result.name}: ${key}`),
  );
}
