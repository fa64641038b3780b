import { printable } from '@array-interface/core';
import { parse, stringify } from 'lossless-json';

/** The result of parsing one piece of input. */
export type Parsed =
  | { readonly value: unknown }
  | {
      /** What was expected, and what was found. */
      readonly problem: string;
      /** Its position, in UTF-16 units from the beginning. */
      readonly position: number;
    };

/** The beginning of a dict, or a list of them, as Python prints it. */
const PYTHON = /^[\s[(]*\{\s*'/;

/**
 * Parses one JSON text. Never throws. Integers stay exact: a safe one becomes a number, any other a
 * bigint. A float that JavaScript cannot tell from an integer (`4.0`, `1e3`) becomes a symbol, so
 * that it cannot pass for one.
 */
export function parseJson(text: string): Parsed {
  try {
    return { value: parse(text, undefined, parseNumber) };
  } catch (error) {
    return { problem: problemOf(text, error as Error), position: positionOf(error as Error) };
  }
}

function problemOf(text: string, error: Error): string {
  if (PYTHON.test(text)) {
    return 'expected a JSON value, got a Python dict; print it in Python with json.dumps';
  }
  const reason = error instanceof RangeError ? 'too many nested values' : error.message;
  return `expected a JSON value, got something else (${reason}); write one value a line`;
}

/** Reads the position from lossless-json's message, its only source. */
function positionOf({ message }: Error): number {
  return Number(/ at position (\d+)$/.exec(message)?.[1] ?? 0);
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
