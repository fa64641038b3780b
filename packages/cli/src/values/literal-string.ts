import { Mistake } from './mistake.js';

/** Letters that Python has before the quote of a text or of bytes. */
export const STRING_PREFIX: RegExp = /^(?:[rub]|br|rb)$/i;

/** What one letter after a backslash stands for, in JSON or in Python. */
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** Hexadecimal digits after these letters. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** A text, and the position after its second quote. */
interface Quoted {
  readonly value: string;
  readonly end: number;
}

/**
 * Reads a text in quotes, as JSON or Python write one on one line. `start` is the position of the
 * first quote. In a raw text backslashes stay. Throws Mistake.
 */
export function readString(text: string, start: number, isRaw: boolean): Quoted {
  const quote = text[start] as string;
  const parts: string[] = [];
  let from = start + 1;
  let at = from;
  while (text[at] !== quote) {
    if (at >= text.length || text[at] === '\n') throw unclosed(start, quote);
    if (text[at] !== '\\') {
      at++;
    } else if (isRaw && text[at + 1] !== '\n') {
      at += 2;
    } else {
      const { value, end } = readEscape(text, at);
      parts.push(text.slice(from, at), value);
      at = from = end;
    }
  }
  parts.push(text.slice(from, at));
  return { value: parts.join(''), end: at + 1 };
}

function unclosed(start: number, quote: string): Mistake {
  return new Mistake(start, 'a text on one line', 'the end of the line', `close it with ${quote}`);
}

function readEscape(text: string, at: number): Quoted {
  const letter = text[at + 1] ?? '';
  const value = ESCAPES[letter];
  if (value !== undefined) return { value, end: at + 2 };
  const count = DIGITS[letter];
  const [digits = ''] =
    count === undefined
      ? (/^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4)) ?? [])
      : (/^[\da-f]+$/i.exec(text.slice(at + 2, at + 2 + count)) ?? []);
  const code = Number.parseInt(digits, count === undefined ? 8 : 16);
  if (digits === '' || digits.length < (count ?? 1) || code > 0x10ffff) {
    const found = JSON.stringify(text.slice(at, at + 2));
    throw new Mistake(at, 'an escape that JSON or Python has', found, 'write \\\\ for a backslash');
  }
  const end = at + (count === undefined ? 1 : 2) + digits.length;
  return { value: String.fromCodePoint(code), end };
}
