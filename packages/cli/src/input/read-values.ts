import { type Parsed, parseLiteral } from '../values/literal.js';
import { lineOf } from '../values/location.js';

/** A value of the input, or the problem in its place. */
export interface Value {
  readonly parsed: Parsed;
  /** The line where the value begins, or where the mistake is. Counts from 1. */
  readonly line: number;
  /** The character of that line where the mistake is, from 1. Absent if there is no mistake. */
  readonly column?: number;
}

/** A line of text, without its line end. */
interface Line {
  readonly text: string;
  /** Counts from 1. */
  readonly number: number;
}

/** The lines of one value, and what they say. */
interface Text {
  readonly lines: readonly Line[];
  readonly parsed: Parsed;
}

/** Characters of the longest line, and of the longest value on several lines. */
const LONGEST = 2 ** 24;

/**
 * Yields the values of an input: the entries of one list, or values that each begin on a line of
 * their own. Values on one line are passed on as they arrive; a value on several lines is read to
 * its last bracket. Takes linear time. `file` names the input in the error that is thrown if a line
 * or a value is too long.
 */
export async function* readValues(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<Value> {
  const input = texts(lines(chunks, file), file);
  const first = await input.next();
  if (first.done === true) return;
  const second = await input.next();
  if (second.done === true) {
    yield* entries(first.value);
    return;
  }
  yield asValue(first.value);
  yield asValue(second.value);
  for await (const text of input) yield asValue(text);
}

/** Splits chunks of bytes into lines. Drops a byte order mark and empty lines. */
async function* lines(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunks) {
    for (const [index, part] of decoder.decode(chunk, { stream: true }).split('\n').entries()) {
      if (index > 0) {
        const text = pending.join('');
        if (text.trim() !== '') yield { text, number };
        pending = [];
        length = 0;
        number++;
      }
      pending.push(part);
      length += part.length;
      if (length > LONGEST) throw tooLong('a line', { file, line: number });
    }
  }
  const text = pending.join('') + decoder.decode();
  if (text.trim() !== '') yield { text, number };
}

function tooLong(what: string, place: { readonly file: string; readonly line: number }): Error {
  const expected = `expected ${what} of at most ${LONGEST} characters, got a longer one`;
  return new Error(`${lineOf(place)}: ${expected}; write one value a line`);
}

async function* texts(input: AsyncGenerator<Line>, file: string): AsyncGenerator<Text> {
  for (;;) {
    const line = await input.next();
    if (line.done === true) return;
    const text = parse([line.value]);
    const isOpen = 'problem' in text.parsed && /^\s*[[{(]/.test(line.value.text);
    if (isOpen) yield* severalLines(await untilClosed(line.value, input), file);
    else yield text;
  }
}

/** The lines that belong to the brackets of the first. Ends early if they are too long together. */
async function untilClosed(first: Line, input: AsyncGenerator<Line>): Promise<readonly Line[]> {
  const all = [first];
  let length = first.text.length;
  let depth = depthAfter(first, 0);
  while (depth > 0 && length <= LONGEST) {
    const next = await input.next();
    if (next.done === true) break;
    all.push(next.value);
    length += next.value.text.length;
    depth = depthAfter(next.value, depth);
  }
  return all;
}

/** How many brackets are open after a line; 0 or less once the first is closed. */
function depthAfter({ text }: Line, before: number): number {
  let depth = before;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const one = text[at] as string;
    if (quote !== null) {
      if (one === '\\') at++;
      else if (one === quote) quote = null;
    } else if (one === '"' || one === "'") {
      quote = one;
    } else if ('[{('.includes(one)) {
      depth++;
    } else if (']})'.includes(one)) {
      depth--;
    }
  }
  return depth;
}

/** Yields one value, or one a line if the first has brackets that nothing closes. */
function* severalLines(all: readonly Line[], file: string): Generator<Text> {
  const whole = parse(all);
  if ('value' in whole.parsed || all.length === 1) {
    yield whole;
    return;
  }
  const each = all.map((line) => parse([line]));
  if (areLines(each)) {
    yield* each;
    return;
  }
  const isTooLong = all.reduce((sum, { text }) => sum + text.length, 0) > LONGEST;
  if (isTooLong) throw tooLong('a value', { file, line: (all[0] as Line).number });
  yield whole;
}

/**
 * True if lines that make no value together are one value each, some of them wrong, and not one
 * wrong value: if one of them is an object, or a dict begins where the first one began.
 */
function areLines(each: readonly Text[]): boolean {
  const [first = '', ...others] = each.map((one) => textOf(one.lines));
  if (/^\s*[[{(]\s*$/.test(first)) return false;
  const [indentation] = /^\s*\{/.exec(first) ?? [];
  if (indentation !== undefined && others.some((one) => one.startsWith(indentation))) return true;
  return each.some(({ parsed }) => 'value' in parsed && parsed.value instanceof Object);
}

function parse(all: readonly Line[]): Text {
  return { lines: all, parsed: parseLiteral(textOf(all)) };
}

function textOf(all: readonly Line[]): string {
  return all.map(({ text }) => text).join('\n');
}

function asValue({ lines: all, parsed }: Text): Value {
  if ('value' in parsed) return { parsed, line: (all[0] as Line).number };
  const before = textOf(all).slice(0, parsed.position).split('\n');
  const { number } = all[before.length - 1] as Line;
  return { parsed, line: number, column: charactersOf(before.at(-1) as string) + 1 };
}

function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** The entries of a list, each at its own line; of anything else only itself. */
function* entries(text: Text): Generator<Value> {
  const { lines: all, parsed } = text;
  if ('problem' in parsed || !Array.isArray(parsed.value)) {
    yield asValue(text);
    return;
  }
  let index = 0;
  let end = (all[0] as Line).text.length;
  for (const [entry, value] of parsed.value.entries()) {
    while ((parsed.starts[entry] ?? 0) > end) end += 1 + (all[++index] as Line).text.length;
    yield { parsed: { value, starts: [] }, line: (all[index] as Line).number };
  }
}
