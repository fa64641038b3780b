/** A string, a punctuation mark of JSON, a line end, or other text. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},\n]|[^\s[\]{},"]+/g;

/**
 * Finds the line on which each entry of a JSON list begins, counted from 0. `text` must be a list.
 */
export function entryLines(text: string): number[] {
  const found: number[] = [];
  let line = 0;
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '\n') line++;
    // at depth 1, all other tokens are the first ones of entries
    else if (depth === 1 && token !== ',' && token !== ']') found.push(line);
    if (token === '[' || token === '{') depth++;
    if (token === ']' || token === '}') depth--;
  }
  return found;
}
