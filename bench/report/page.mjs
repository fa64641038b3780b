import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readReasons, reasonFor, unexplained } from './reasons.mjs';
import { markdown, medianCells, targetCells } from './table.mjs';

const PAGE = new URL('../README.md', import.meta.url);
const BENCHMARKS = new URL('../benchmarks/', import.meta.url);
const RESULTS = new URL('../results/', import.meta.url);
const BEGIN = '<!-- results: written by npm run bench -->\n';
const END = '<!-- end of results -->';

/** All stored results of benchmarks, by name. Other files are inputs of a benchmark. */
export function readResults() {
  if (!existsSync(RESULTS)) return [];
  const files = readdirSync(RESULTS).filter(
    (file) =>
      file.endsWith('.json') && existsSync(new URL(file.replace(/json$/, 'mjs'), BENCHMARKS)),
  );
  return files.sort().map((file) => JSON.parse(readFileSync(new URL(file, RESULTS), 'utf8')));
}

/** The page's text about results: figures, plots, and why a target was not reached. */
export function resultsText(results, reasons) {
  return results.map((result) => sectionOf(result, reasons)).join('\n');
}

function sectionOf(result, reasons) {
  const { name, what, machine, rounds, targets, notRun } = result;
  return [
    `### ${name}\n`,
    `${what}\n`,
    `\`npm run bench -- ${name}\` repeats it. Measured ${machine.date} in up to ${rounds} turns: ` +
      `${machineText(machine)}.\n`,
    ...(targets.length > 0 ? [`${markdown(targetCells(result))}\n`] : []),
    ...explained(result, reasons),
    ...(result.rows.length > 0 ? [`![${name}](results/${name}.svg)\n`, medians(result)] : []),
    ...notRun.map((line) => `Not run: ${line}.\n`),
  ].join('\n');
}

function machineText({ gpu, cpu, cores, memoryGiB, system, node, load }) {
  if (gpu !== undefined) return `${gpu}, Node ${node}`;
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, load ${load}`;
}

function explained({ name, targets }, reasons) {
  const missed = targets.filter(({ reached }) => reached !== true);
  const lines = new Map();
  for (const target of missed) {
    const { why, tried } = reasonFor(reasons, name, target) ?? { why: 'no reason is stated' };
    const text = `${why}${tried ? ` Tried: ${tried}` : ''}`;
    lines.set(text, [...(lines.get(text) ?? []), `${target.work}, ${target.target}`]);
  }
  return [...lines].map(([text, which]) => `- **${which.join('; ')}**: ${text}\n`);
}

function medians(result) {
  return `<details><summary>Medians</summary>\n\n${markdown(medianCells(result))}\n\n</details>\n`;
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
