import type { ArrayDescriptor } from '@array-interface/core';
import pc from 'picocolors';

/** Maximum number of rows and columns that are shown; of more, the first ones and the last. */
const ROWS = 6;
const COLUMNS = 8;

/**
 * Shows the offsets of the last two axes' elements, in bytes from the first. Other axes stay at
 * index 0.
 */
export function offsetGrid({ shape, byteStrides, size, ndim }: ArrayDescriptor): string[] {
  if (ndim === 0 || size === 0) return [];
  const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) as number];
  const [down, along] = [byteStrides.at(-2) ?? 0, byteStrides.at(-1) as number];
  const grid = shown(rows, ROWS).map((row) =>
    shown(columns, COLUMNS).map((column) => {
      if (column === null) return '…';
      return row === null ? '⋮' : String(row * down + column * along);
    }),
  );
  const width = Math.max(...grid.flat().map((cell) => cell.length));
  const lines = grid.map((row) => row.map((cell) => cell.padStart(width)).join('  '));
  const where = ndim > 2 ? pc.dim(`   at [${'0, '.repeat(ndim - 2)}:, :]`) : '';
  return lines.map(
    (line, index) =>
      `  ${index === 0 ? 'offsets ' : '        '} ${line}${index === 0 ? where : ''}`,
  );
}

/** Indices, with null for those left out. */
function shown(length: number, most: number): (number | null)[] {
  if (length <= most) return Array.from({ length }, (_, index) => index);
  return [...Array.from({ length: most - 2 }, (_, index) => index), null, length - 1];
}
