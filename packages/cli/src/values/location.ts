import { printable } from '@array-interface/core';

/** The position of a value in the input. */
export interface Location {
  /** `-` is standard input. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts the values of the file from 0. */
  readonly index: number;
}

/** The file and line, as compilers write them. */
export function lineOf({ file, line }: Location): string {
  return `${file === '-' ? 'standard input' : printable(file)}:${line}`;
}
