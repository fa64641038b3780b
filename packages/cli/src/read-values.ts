import { type Parsed, parseJson } from './json.js';
import { lines } from './lines.js';

/**
 * The values of an input: one JSON value, the entries of one array, or one value a line. Lines are
 * passed on as they come; only an input whose first line begins an object or list without ending it
 * is held whole, because it may be one value on several lines.
 */
export async function* readValues(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed> {
  const input = lines(chunks);
  const first = await input.next();
  if (first.done === true) return;
  const parsed = parseJson(first.value);
  if ('problem' in parsed && /^\s*[[{]/.test(first.value)) {
    const all = [first.value];
    for await (const line of input) all.push(line);
    yield* readWhole(all);
    return;
  }
  const second = await input.next();
  if (second.done === true) {
    yield* entries(parsed);
    return;
  }
  yield parsed;
  yield parseJson(second.value);
  for await (const line of input) yield parseJson(line);
}

function* readWhole(all: readonly string[]): Generator<Parsed> {
  const whole = parseJson(all.join('\n'));
  if ('problem' in whole) for (const line of all) yield parseJson(line);
  else yield* entries(whole);
}

function* entries(parsed: Parsed): Generator<Parsed> {
  if ('problem' in parsed || !Array.isArray(parsed.value)) yield parsed;
  else for (const value of parsed.value) yield { value };
}
