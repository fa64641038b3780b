import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  isArrayInterfaceError,
  makeDescriptor,
} from '@array-interface/core';
import { refusal } from '../output/refusal.js';
import { reportError } from '../output/report.js';
import { writeLine } from '../output/write-line.js';
import { planPicture } from '../picture/plan-picture.js';
import { writeJson } from '../values/json.js';

/** A copy, as the arguments of the command line describe it. */
export interface CopyWords {
  readonly shape: string;
  /** Byte strides, or C for those of C order. */
  readonly destination: string;
  readonly source: string;
  readonly to: string;
  readonly from?: string;
  readonly threads: string;
  readonly json?: true;
}

/** Invented addresses, far apart. Both are multiples of every unit. */
const PLACES = { destination: 1n << 60n, source: 1n << 61n };

/**
 * Prints how the host backend would run a copy, or why it would refuse to. Returns whether it would
 * run it.
 */
export async function explainCopy(words: CopyWords): Promise<boolean> {
  try {
    await writeLine(await explained(words));
    return true;
  } catch (error) {
    if (!isArrayInterfaceError(error)) throw error;
    if (words.json) await writeLine(writeJson(reportError(error)));
    else await writeLine(refusal(error), 'stderr');
    return false;
  }
}

async function explained(words: CopyWords): Promise<string> {
  const shape = integers(words.shape, 'shape', 'lengths such as 480,640');
  const { to, from = to } = words;
  const destination = side(words, 'destination', shape, to);
  const source = side(words, 'source', shape, from);
  const { host } = await import('@array-interface/host');
  const [threads] = integers(words.threads, 'threads', 'one number, from 1 to 1024');
  const options = { casting: 'unsafe', ...(threads !== undefined && { threads }) } as const;
  const explanation = host.explainCopy(destination, source, options);
  return words.json ? writeJson(explanation) : planPicture(destination, source, explanation);
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
    throw new ArrayInterfaceError(error.code, path, error.reason);
  }
}

function strides(text: string, name: string, shape: readonly number[]): readonly number[] | null {
  if (text === 'C') return null;
  const example = 'byte strides such as 2560,4 or [-2560,4], or C for those of C order';
  const found = integers(text, name, example);
  if (found.length === shape.length) return found;
  throw new ArrayInterfaceError(
    'ERR_RANK_MISMATCH',
    name,
    `expected a byte stride for each of ${shape.length} axes, got ${found.length}; ` +
      'write one for each axis, or C for those of C order',
  );
}

function integers(text: string, name: string, example: string): readonly number[] {
  const list = text.replace(/^\s*\[(.*)\]\s*$/s, '$1').trim();
  if (list === '') return [];
  const parts = list.split(',').map((part) => part.trim());
  if (parts.every((part) => /^-?\d+$/.test(part))) return parts.map(Number);
  throw new ArrayInterfaceError(
    'ERR_TYPE',
    name,
    `expected integers separated by commas, got ${JSON.stringify(text)}; write ${example}`,
  );
}
