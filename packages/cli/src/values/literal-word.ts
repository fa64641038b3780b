/** Characters of the longest number. Python itself prints no integer of more than 4300 digits. */
export const LONGEST = 4400;

const NAMES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['null', null],
  ['None', null],
  ['true', true],
  ['True', true],
  ['np.True_', true],
  ['false', false],
  ['False', false],
  ['np.False_', false],
]);

/** Floats with names, as Python prints them and as its `json` writes them. */
const FLOATS: ReadonlyMap<string, number> = new Map([
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['nan', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
]);

/** The types of the scalars that NumPy prints with their type, as in `np.int64(5)`. */
const SCALAR =
  /^np\.(?:u?int(?:8|16|32|64|p|c)|u?(?:long|longlong)|float(?:16|32|64)|str_|bytes_)$/;

/** No two parts of these can match the same characters, so that they take linear time. */
const INTEGER =
  /^[+-]?(?:0x(?:_?[\da-f])+|0o(?:_?[0-7])+|0b(?:_?[01])+|0(?:_?0)*|[1-9](?:_?\d)*)$/i;
const FLOAT = /^[+-]?(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:e[+-]?\d(?:_?\d)*)?$/i;

const WORD = /[+-]?[\w.]*/y;
const NUMBER_SO_FAR = /^[+-]?[\d.][\d._]*e$/i;
const EXPONENT = /[+-]\d[\d_]*/y;

/** The number or name that begins at `start`; empty if none does. */
export function wordAt(text: string, start: number): string {
  const word = matchAt(WORD, text, start);
  if (word.length > LONGEST || !NUMBER_SO_FAR.test(word)) return word;
  return word + matchAt(EXPONENT, text, start + word.length);
}

function matchAt(pattern: RegExp, text: string, start: number): string {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0] ?? '';
}

/** Whether NumPy prints a value in brackets after this name. */
export function isScalar(word: string): boolean {
  return SCALAR.test(word);
}

/**
 * What a number, or a name that has a value, stands for; undefined for other words. Integers stay
 * exact: a safe one becomes a number, any other a bigint. A float that JavaScript cannot tell from
 * an integer (`4.0`, `1e3`) becomes a symbol, so that it cannot pass for one.
 */
export function readWord(word: string): unknown {
  if (NAMES.has(word)) return NAMES.get(word);
  if (FLOATS.has(word)) return FLOATS.get(word);
  if (word.length > LONGEST) return undefined;
  const digits = word.replaceAll('_', '');
  if (INTEGER.test(word)) return integer(digits);
  if (!FLOAT.test(word) || !/[.e]/i.test(word)) return undefined;
  const number = Number(digits);
  return Number.isSafeInteger(number) ? Symbol(`the float ${word}`) : number;
}

function integer(digits: string): number | bigint {
  const magnitude = digits.replace(/^[+-]/, '');
  const isNegative = digits.startsWith('-');
  const number = Number(magnitude);
  // a number that was rounded is not safe
  if (Number.isSafeInteger(number)) return isNegative ? 0 - number : number;
  return isNegative ? -BigInt(magnitude) : BigInt(magnitude);
}
