/** A string, a sign of JSON or a line end, or what stands between them. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},\n]|[^\s[\]{},"]+/g;

/** On which line each entry of a JSON list begins, counted from 0. `text` is known to be a list. */
export function entryLines(text: string): number[] {
  const found: number[] = [];
  let line = 0;
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '\n') line++;
    // in the list itself stand commas and the first tokens of entries
    else if (depth === 1 && token !== ',' && token !== ']') found.push(line);
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
  }
  return found;
}
