const LARGE = 2n ** 128n;
/** Characters of a text that are shown. */
const SHOWN = 40;
/** Entries of a list that are shown. */
const ENTRIES = 16;

/** What an error message says about a value: short, on one line, and never throws. */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return printable(JSON.stringify(cut(value, SHOWN)));
    case 'bigint':
      return digits(value, 'n');
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : 'an object';
    case 'symbol':
      return printable(cut(value.description ?? 'a symbol', SHOWN));
    case 'undefined':
      return 'nothing';
    default:
      return `a ${typeof value}`;
  }
}

/** An integer for people; converting a very large one would take long, and fill the message. */
export function digits(value: bigint, suffix = ''): string {
  return value > -LARGE && value < LARGE ? `${value}${suffix}` : 'an integer past 2^128';
}

/** Lengths or strides for an error message: all of most arrays', the first of many. */
export function showList(values: readonly number[]): string {
  return `[${values.length > ENTRIES ? `${values.slice(0, ENTRIES)},…` : values}]`;
}

/**
 * Text with what terminals obey, what turns text around and what hides in it escaped as in JSON, of
 * which it stays the same: controls of both kinds, line ends, formatting characters, lone surrogates.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escaped);
}

function escaped(mark: string): string {
  // by units of 16 bits, as JSON has it
  return mark.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** At most `length` units of a text, of which no character is cut in two, and a mark where it goes on. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}
