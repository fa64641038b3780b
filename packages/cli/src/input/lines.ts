/** A line of text, without its line end. */
export interface Line {
  readonly text: string;
  /** Counts from 1. */
  readonly number: number;
}

/** Splits chunks of bytes into lines. Drops a byte order mark and empty lines. */
export async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() as string;
    for (const text of parts) {
      number++;
      if (text.trim() !== '') yield { text, number };
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield { text: rest, number: number + 1 };
}
