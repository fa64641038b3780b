import type { ArrayInterfaceError } from '@array-interface/core';
import { explain } from '@array-interface/core/explain';
import pc from 'picocolors';
import { type Location, lineOf } from '../values/location.js';

/**
 * Formats a refusal for people: where the value is, what is wrong, and its dict with the key
 * marked.
 */
export function refusal(error: ArrayInterfaceError, location?: Location): string {
  const colors = onErrors();
  const [head = '', ...dict] = explain(error).split('\n');
  const marks = dict.map((line) => (/^ *\^+$/.test(line) ? colors.red(line) : line));
  const where = location === undefined ? '' : `${lineOf(location)}: index ${location.index}: `;
  return [where + head.replace(error.code, colors.red), ...marks].join('\n');
}

/** Colors for standard error, since picocolors checks only standard output. */
function onErrors(): Pick<typeof pc, 'red'> {
  const wanted = process.stderr.isTTY || 'FORCE_COLOR' in process.env;
  return wanted ? pc : pc.createColors(false);
}
