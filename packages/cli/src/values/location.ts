import { printable } from '@array-interface/core';

/** The position of a value in the input. */
export interface Location {
  /** `-` is standard input. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** The character where a text is no value. Counts from 1. */
  readonly column?: number;
  /** Counts the values of the file from 0. */
  readonly index: number;
}

/** The file, the line and perhaps the column, as compilers write them. */
export function lineOf({ file, line, column }: Omit<Location, 'index'>): string {
  const place = column === undefined ? line : `${line}:${column}`;
  return `${file === '-' ? 'standard input' : printable(file)}:${place}`;
}
