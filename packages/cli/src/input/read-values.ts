import { type Parsed, parseJson } from '../values/json.js';
import { entryLines } from './entry-lines.js';
import { type Line, lines } from './lines.js';

/** A value of the input, or the problem in its place. */
export interface Value {
  readonly parsed: Parsed;
  /** The line where the value begins, or where the mistake is. Counts from 1. */
  readonly line: number;
}

/**
 * Yields the values of an input: one JSON value, the entries of one array, or one value a line.
 * Lines are passed on as they arrive. Only if the first line begins an object or list without
 * ending it is the whole input buffered, since it may be one value on several lines.
 */
export async function* readValues(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Value> {
  const input = lines(chunks);
  const first = await input.next();
  if (first.done === true) return;
  const value = parseLine(first.value);
  if ('problem' in value.parsed && /^\s*[[{]/.test(first.value.text)) {
    const all = [first.value];
    for await (const line of input) all.push(line);
    yield* readWhole(all);
    return;
  }
  const second = await input.next();
  if (second.done === true) {
    yield* entries(value.parsed, [first.value]);
    return;
  }
  yield value;
  yield parseLine(second.value);
  for await (const line of input) yield parseLine(line);
}

function parseLine({ text, number }: Line): Value {
  return { parsed: parseJson(text), line: number };
}

function* readWhole(all: readonly Line[]): Generator<Value> {
  const whole = parseJson(textOf(all));
  if (!('problem' in whole)) {
    yield* entries(whole, all);
    return;
  }
  const values = all.map(parseLine);
  if (areLines(all, values)) {
    yield* values;
    return;
  }
  const before = textOf(all).slice(0, whole.position).split('\n').length - 1;
  yield { parsed: whole, line: numberOf(all, before) };
}

/**
 * True if a text that does not parse is one value a line, some of them wrong, and not one wrong
 * value.
 */
function areLines([first]: readonly Line[], values: readonly Value[]): boolean {
  if (/^\s*[[{]\s*$/.test(first?.text ?? '')) return false;
  return values.some(({ parsed }) => 'value' in parsed && parsed.value instanceof Object);
}

function* entries(parsed: Parsed, all: readonly Line[]): Generator<Value> {
  if ('problem' in parsed || !Array.isArray(parsed.value)) {
    yield { parsed, line: numberOf(all, 0) };
    return;
  }
  const starts = entryLines(textOf(all));
  for (const [index, value] of parsed.value.entries()) {
    yield { parsed: { value }, line: numberOf(all, starts[index] as number) };
  }
}

function textOf(all: readonly Line[]): string {
  return all.map(({ text }) => text).join('\n');
}

/** The number of a line in the input. Needed since `all` has no empty lines. */
function numberOf(all: readonly Line[], index: number): number {
  return (all[index] as Line).number;
}
