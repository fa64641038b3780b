import { readFileSync, writeFileSync } from 'node:fs';
import { onAllCores, run } from '../run.mjs';

/** Prints the sums of the counts in vitest's reports, and writes them to the file of TEST_COUNTS. */
export function addCounts(reports, what) {
  const sum = (key) => reports.reduce((total, report) => total + report[key], 0);
  const [passed, failed] = [sum('numPassedTests'), sum('numFailedTests')];
  console.log(`${passed} tests passed, ${failed} failed, in ${reports.length} ${what}.`);
  const counts = { numPassedTests: passed, numFailedTests: failed };
  if (process.env.TEST_COUNTS) writeFileSync(process.env.TEST_COUNTS, JSON.stringify(counts));
}

/** Vitest's arguments for a short output, and a report in a file. */
export const reportingTo = (file) => [
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${file}`,
];

/** Runs vitest by a command, with a report in a file. Returns its counts, and how long it took. */
export async function counted(report, command, args, options) {
  const start = performance.now();
  writeFileSync(report, '{}');
  const status = await run(command, [...args, onAllCores, ...reportingTo(report)], options);
  const { numPassedTests = 0, numFailedTests = 0 } = JSON.parse(readFileSync(report, 'utf8'));
  return {
    ok: status === 0 && numPassedTests > 0,
    passed: numPassedTests,
    failed: numFailedTests,
    seconds: Math.round((performance.now() - start) / 1000),
  };
}
