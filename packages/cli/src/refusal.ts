import type { ArrayInterfaceError } from '@array-interface/core';
import { explain } from '@array-interface/core';
import pc from 'picocolors';
import { lineOf, type Place } from './place.js';

/** What a refusal is for people: where the value stands, what is wrong, and its dict with the key marked. */
export function refusal(error: ArrayInterfaceError, place?: Place): string {
  const colors = onErrors();
  const [head = '', ...dict] = explain(error).split('\n');
  const marks = dict.map((line) => (/^ *\^+$/.test(line) ? colors.red(line) : line));
  const where = place === undefined ? '' : `${lineOf(place)}: index ${place.index}: `;
  return [where + head.replace(error.code, colors.red), ...marks].join('\n');
}

/** picocolors looks at standard output alone. */
function onErrors(): Pick<typeof pc, 'red'> {
  const wanted = process.stderr.isTTY || 'FORCE_COLOR' in process.env;
  return wanted ? pc : pc.createColors(false);
}
