import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A fenced block of docs/ffi.md. */
interface Block {
  readonly language: string;
  readonly code: string;
}

const file = fileURLToPath(new URL('../../../docs/ffi.md', import.meta.url));

/** The sections of docs/ffi.md that have blocks, by their headings. */
export function readSections(): Map<string, readonly Block[]> {
  const [, ...sections] = readFileSync(file, 'utf8').split(/^## /m);
  const entries = sections.map(
    (text) => [text.slice(0, text.indexOf('\n')), blocksOf(text)] as const,
  );
  return new Map(entries.filter(([, blocks]) => blocks.length > 0));
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, code]) => ({
    language: language as string,
    code: code as string,
  }));
}

/** Returns the code of a section in a language. Throws unless there is exactly one such block. */
export function codeOf(blocks: readonly Block[] | undefined, language: string): string {
  const [found, ...others] = blocks?.filter((block) => block.language === language) ?? [];
  if (found !== undefined && others.length === 0) return found.code;
  throw new Error(`expected one block of ${language}, got ${others.length + (found ? 1 : 0)}`);
}

/** The output that the comments after `console.log(…);` promise, one for each line. */
export function promises(code: string): string[] {
  return [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(
    ([, text]) => text as string,
  );
}
