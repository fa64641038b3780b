import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  type ErrorCode,
  isArrayInterfaceError,
  makeDescriptor,
} from '@array-interface/core';
import type { CopyExplanation } from '@array-interface/host';

/** A copy, as the arguments of the command line describe it. */
export interface CopyWords {
  readonly shape: string;
  /** Byte strides, or C for those of C order. */
  readonly destination: string;
  readonly source: string;
  readonly to: string;
  readonly from?: string;
  readonly threads: string;
}

/** Both sides of a copy, and how it would run. */
export interface ExplainedCopy {
  readonly destination: ArrayDescriptor;
  readonly source: ArrayDescriptor;
  readonly explanation: CopyExplanation;
}

/** Invented addresses, far apart. Both are multiples of every unit. */
const PLACES = { destination: 1n << 60n, source: 1n << 61n };

/** Asks the host backend how it would run a copy. Throws ArrayInterfaceError. */
export async function explainCopy(words: CopyWords): Promise<ExplainedCopy> {
  const shape = integers(words.shape, 'shape', 'lengths, as 480,640');
  const { to, from = to } = words;
  const destination = side(words, 'destination', shape, to);
  const source = side(words, 'source', shape, from);
  const { host } = await import('@array-interface/host');
  const [threads] = integers(words.threads, 'threads', 'one number, from 1 to 1024');
  const options = { casting: 'unsafe', ...(threads !== undefined && { threads }) } as const;
  const explanation = host.explainCopy(destination, source, options);
  return { destination, source, explanation };
}

/** Describes one side. Core's errors name the argument at fault. */
function side(
  words: CopyWords,
  name: 'destination' | 'source',
  shape: readonly number[],
  dtype: string,
): ArrayDescriptor {
  const byteStrides = strides(words[name], name, shape);
  try {
    return makeDescriptor({ pointer: PLACES[name], shape, byteStrides, dtype });
  } catch (error) {
    if (!isArrayInterfaceError(error)) throw error;
    const path = (error.path ?? '')
      .replace('byteStrides', name)
      .replace('dtype', name === 'source' ? 'from' : 'to');
    throw new ArrayInterfaceError(error.code, path, error.message);
  }
}

function strides(text: string, name: string, shape: readonly number[]): readonly number[] | null {
  if (text === 'C') return null;
  const example = 'byte strides, as 2560,4 or [-2560,4], or C for those of C order';
  const found = integers(text, name, example);
  if (found.length === shape.length) return found;
  throw refusal('ERR_RANK_MISMATCH', name, {
    expected: `a byte stride for each of ${shape.length} axes`,
    got: `${found.length}`,
    remedy: 'give one for each length of the shape, or C for those of C order',
  });
}

function integers(text: string, name: string, example: string): readonly number[] {
  const list = text.replace(/^\s*\[(.*)\]\s*$/s, '$1').trim();
  if (list === '') return [];
  const parts = list.split(',').map((part) => part.trim());
  if (parts.every((part) => /^-?\d+$/.test(part))) return parts.map(Number);
  throw refusal('ERR_TYPE', name, {
    expected: 'integers with commas between them',
    got: JSON.stringify(text),
    remedy: `write ${example}`,
  });
}

function refusal(
  code: ErrorCode,
  path: string,
  words: { readonly expected: string; readonly got: string; readonly remedy: string },
): ArrayInterfaceError {
  const { expected, got, remedy } = words;
  return new ArrayInterfaceError(code, path, `expected ${expected}, got ${got}; ${remedy}`);
}
