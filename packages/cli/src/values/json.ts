import { printable } from '@array-interface/core';
import { stringify } from 'lossless-json';

/** Writes JSON on one line; bigints in full, as integers. */
export function writeJson(value: unknown): string {
  return printable(stringify(value) as string);
}
