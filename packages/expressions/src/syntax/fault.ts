import { ArrayInterfaceError, printable } from '@array-interface/core';
import type { Span } from './node.js';

/** Longest part of a line that an error shows. */
const WIDTH = 76;
/** Characters shown before the fault if the line is longer. */
const BEFORE = 32;
/** Longest part of a text that a message quotes. */
const QUOTED = 40;
/** Longest names that are compared. */
const LONGEST = 64;

/** Returns the error for a fault in a text. It shows the line, with a mark under the fault. */
export function faultAt(
  text: string,
  { start, end }: Span,
  expected: string,
  got: string,
  cure?: string,
): ArrayInterfaceError {
  const before = text.slice(0, start);
  const begin = before.lastIndexOf('\n') + 1;
  const next = text.indexOf('\n', start);
  const line = text.slice(begin, next < 0 ? text.length : next);
  const column = start - begin;
  const from =
    line.length <= WIDTH ? 0 : Math.max(0, Math.min(column - BEFORE, line.length - WIDTH));
  const shown = line.slice(from, from + WIDTH);
  // What is escaped has another length, and a tab another width.
  const lead = printable(shown.slice(0, column - from)).replaceAll(/./gsu, ' ');
  const marked = Math.max(1, Math.min(end, begin + from + shown.length) - start);
  const path = `text:${before.split('\n').length}:${column + 1}`;
  const message = `expected ${expected}, got ${got}${cure === undefined ? '' : `; ${cure}`}`;
  return new ArrayInterfaceError('ERR_ARGUMENT', path, message, {
    excerpt: [shown, lead + '^'.repeat(marked)],
  });
}

/** Quotes a part of a text for a message. */
export function quoted(text: string): string {
  return `'${text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text}'`;
}

/** Returns advice on a name that is in none of the lists: the nearest one, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  let [nearest, least] = ['', Math.max(1, Math.floor(name.length / 3)) + 1];
  for (const one of known) {
    const distance = one.toLowerCase() === name.toLowerCase() ? 0 : editDistance(name, one);
    if (distance < least) [nearest, least] = [one, distance];
  }
  return nearest === '' ? undefined : `did you mean '${nearest}'?`;
}

/** Returns how many characters are inserted, removed or replaced between two texts. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] as number) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
