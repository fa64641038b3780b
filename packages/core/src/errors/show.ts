const LARGE = 2n ** 128n;
/** Maximum number of characters shown of a text. */
const SHOWN = 40;
/** Maximum number of entries shown of a list. */
const ENTRIES = 16;

/** Formats a value for an error message: short and on one line. Never throws. */
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

/** Formats an integer. A very large one would take long to convert and would fill the message. */
export function digits(value: bigint, suffix = ''): string {
  return value > -LARGE && value < LARGE ? `${value}${suffix}` : 'an integer past 2^128';
}

/** Formats lengths or strides for an error message. Shows only the first of many. */
export function showList(values: readonly number[]): string {
  return `[${values.length > ENTRIES ? `${values.slice(0, ENTRIES)},…` : values}]`;
}

/**
 * Escapes, as JSON does, characters that control a terminal, reverse the direction of text or are
 * invisible in it: control characters of both kinds, line ends, formatting characters, lone
 * surrogates. JSON keeps its meaning.
 */
export function printable(text: string): string {
  if (typeof text !== 'string') return show(text);
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escaped);
}

function escaped(mark: string): string {
  // one escape for each 16-bit unit, as in JSON
  return mark.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Truncates a text after at most `length` UTF-16 units, never inside a character, and marks the
 * cut.
 */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}
