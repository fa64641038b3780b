import { readFileSync } from 'node:fs';

/**
 * Reads why targets were not reached, and what was tried: by the benchmark's name, then by `WORK:
 * TARGET`. `*` is for everything that a benchmark did not measure.
 */
export function readReasons() {
  return JSON.parse(readFileSync(new URL('reasons.json', import.meta.url), 'utf8'));
}

/** The reason for one target, or undefined. */
export function reasonFor(reasons, name, { work, target, reached }) {
  const ofBenchmark = reasons[name];
  return ofBenchmark?.[`${work}: ${target}`] ?? (reached === null ? ofBenchmark?.['*'] : undefined);
}

/**
 * The targets of a result that were neither reached nor explained, as their keys in the reasons.
 */
export function unexplained(result, reasons) {
  return result.targets
    .filter((target) => target.reached !== true && !reasonFor(reasons, result.name, target))
    .map(({ work, target }) => `${work}: ${target}`);
}
