import { readFileSync } from 'node:fs';

/**
 * Reads why targets are missed: for each benchmark, lists of targets as `WORK: TARGET` with one
 * reason. `*` stands for every target that was not measured.
 */
export function readReasons() {
  return JSON.parse(readFileSync(new URL('reasons.json', import.meta.url), 'utf8'));
}

/** The reason for one target, or undefined. */
export function reasonFor(reasons, name, { work, target, reached }) {
  const reasonOf = (key) => reasons[name]?.find(({ targets }) => targets.includes(key))?.why;
  return reasonOf(`${work}: ${target}`) ?? (reached === null ? reasonOf('*') : undefined);
}

/**
 * The targets of a result that were neither reached nor explained, as their keys in the reasons.
 */
export function unexplained(result, reasons) {
  return result.targets
    .filter((target) => target.reached !== true && !reasonFor(reasons, result.name, target))
    .map(({ work, target }) => `${work}: ${target}`);
}
