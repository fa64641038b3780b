import { printable } from '@array-interface/core';
import { parse, stringify } from 'lossless-json';

/** What one piece of input turned out to be. */
export type Parsed = { readonly value: unknown } | { readonly problem: string };

/**
 * Parses one JSON text; integers come out exact: as a number where that is safe, else as a bigint. A
 * float that JavaScript cannot tell from an integer (`4.0`, `1e3`) becomes a symbol, so that nothing
 * takes it for one. Never throws.
 */
export function parseJson(text: string): Parsed {
  try {
    return { value: parse(text, undefined, parseNumber) };
  } catch (error) {
    const problem =
      error instanceof RangeError ? 'too many nested values' : printable((error as Error).message);
    return { problem };
  }
}

/** Writes JSON on one line; bigints in full, as integers. */
export function writeJson(value: unknown): string {
  return printable(stringify(value) as string);
}

function parseNumber(text: string): unknown {
  const number = Number(text);
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(number) ? number + 0 : BigInt(text);
  return Number.isSafeInteger(number) ? Symbol(`the float ${text}`) : number;
}
