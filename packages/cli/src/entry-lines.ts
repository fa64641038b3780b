/** A string, a sign of JSON or a line end, or what stands between them. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},\n]|[^\s[\]{},"]+/g;

/** On which line each entry of a JSON list begins, counted from 0. `text` is known to be a list. */
export function entryLines(text: string): number[] {
  const found: number[] = [];
  let line = 0;
  let depth = 0;
  let awaited = true;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '\n') line++;
    else if (token === ',' && depth === 1) awaited = true;
    else {
      if (depth === 1 && awaited && token !== ']') {
        found.push(line);
        awaited = false;
      }
      if (token === '[' || token === '{') depth++;
      if (token === ']' || token === '}') depth--;
    }
  }
  return found;
}
