import type { TextLimits } from './limits.js';

/** What stands for the elements that are not shown. */
const LEFT_OUT = '...';

/** How the brackets of an array are laid out. */
export interface TextLayout extends Pick<TextLimits, 'edgeItems' | 'lineWidth'> {
  /** The lengths of the axes, as far as they are shown. */
  readonly shape: readonly number[];
  /** The axes from which elements are left out, behind `edgeItems` of them. */
  readonly isShortened: readonly boolean[];
  readonly separator: string;
  /** Characters in front of the first bracket, by which the other lines are moved in. */
  readonly indent: number;
}

/**
 * Returns texts of elements in brackets, as NumPy lays them out: `next` returns those in C order.
 */
export function bracketed(layout: TextLayout, next: () => string): string {
  return level(layout, next, 0, ' '.repeat(layout.indent + 1), layout.lineWidth);
}

function level(
  layout: TextLayout,
  next: () => string,
  axis: number,
  indent: string,
  lineWidth: number,
): string {
  const { shape, separator } = layout;
  const isRow = axis === shape.length - 1;
  const deeper = () => level(layout, next, axis + 1, `${indent} `, lineWidth - 1);
  const entries = entriesOf(layout, axis, isRow ? next : deeper);
  const ending = separator.trimEnd();
  if (isRow) return `[${row(entries, separator, indent, lineWidth - Math.max(ending.length, 1))}]`;
  const between = ending + '\n'.repeat(shape.length - axis - 1) + indent;
  return `[${entries.join(between)}]`;
}

function entriesOf(
  { shape, isShortened, edgeItems }: TextLayout,
  axis: number,
  next: () => string,
): string[] {
  const entries = Array.from({ length: shape[axis] as number }, next);
  if (isShortened[axis] === true) entries.splice(edgeItems, 0, LEFT_OUT);
  return entries;
}

/** Returns words in lines of at most `most` characters. A word that is longer gets its own line. */
function row(words: readonly string[], separator: string, indent: string, most: number): string {
  const lines: string[] = [];
  let line = indent;
  for (const [index, word] of words.entries()) {
    const isFull = width(line) + width(word) > most && line.length > indent.length;
    if (isFull) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += index < words.length - 1 ? word + separator : word;
  }
  return [...lines, line].join('\n').slice(indent.length);
}

/** Characters of Unicode, as Python counts them. */
export function width(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : [...text].length;
}
