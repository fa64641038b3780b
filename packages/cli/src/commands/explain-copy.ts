import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  dtype,
  isArrayInterfaceError,
  makeDescriptor,
} from '@array-interface/core';
import { refusal } from '../output/refusal.js';
import { reportError } from '../output/report.js';
import { writeLine } from '../output/write-line.js';
import { planPicture } from '../picture/plan-picture.js';
import { writeJson } from '../values/json.js';
import { adviceOn } from './copy-advice.js';

/** A copy, as the arguments of the command line describe it. */
export interface CopyWords {
  readonly shape: string;
  /** Byte strides, or C or F for those of that order. */
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
  const plan = (to: ArrayDescriptor, from: ArrayDescriptor, threads = 1) =>
    host.explainCopy(to, from, { casting: 'unsafe', threads });
  const explanation = plan(destination, source, threadsOf(words.threads));
  if (words.json) return writeJson(explanation);
  const advice = adviceOn(destination, source, explanation, plan);
  return planPicture(destination, source, explanation, advice);
}

function threadsOf(text: string): number {
  const [threads, ...more] = integers(text, 'threads', 'one number, from 1 to 1024');
  if (threads !== undefined && more.length === 0) return threads;
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'threads',
    `expected one number of threads, got ${JSON.stringify(text)}; write one from 1 to 1024`,
  );
}

/** Describes one side. Core's errors name the argument at fault. */
function side(
  words: CopyWords,
  name: 'destination' | 'source',
  shape: readonly number[],
  type: string,
): ArrayDescriptor {
  try {
    const element = dtype(type);
    const byteStrides = strides(words[name], name, shape, element.itemsize);
    return makeDescriptor({ pointer: PLACES[name], shape, byteStrides, dtype: element });
  } catch (error) {
    if (!isArrayInterfaceError(error)) throw error;
    const path = (error.path ?? '')
      .replace('byteStrides', name)
      .replace('dtype', name === 'source' ? 'from' : 'to');
    throw new ArrayInterfaceError(error.code, path, error.reason);
  }
}

/**
 * Puts a space before an argument that begins with a minus and a digit: a list of strides, which
 * would pass for an option.
 */
export function notAnOption(argument: string): string {
  return /^-\d/.test(argument) ? ` ${argument}` : argument;
}

function strides(
  text: string,
  name: string,
  shape: readonly number[],
  itemsize: number,
): readonly number[] | null {
  if (text === 'C') return null;
  if (text === 'F') return fortranStrides(shape, itemsize);
  const example = 'byte strides such as 2560,4 or -2560,4, or C or F for those of that order';
  const found = integers(text, name, example);
  if (found.length === shape.length) return found;
  throw new ArrayInterfaceError(
    'ERR_RANK_MISMATCH',
    name,
    `expected a byte stride for each of ${shape.length} axes, got ${found.length}; ` +
      'write one for each axis, or C or F for those of that order',
  );
}

/** Lengths that are no lengths are refused later, by their own name. */
function fortranStrides(shape: readonly number[], itemsize: number): readonly number[] {
  let step = itemsize;
  return shape.map((length) => {
    const stride = step;
    step *= Math.max(length, 1);
    return stride;
  });
}

/** Reads integers separated by commas, also in the brackets of a list or tuple. */
function integers(text: string, name: string, example: string): readonly number[] {
  const list = text
    .trim()
    .replace(/^\[(.*)\]$|^\((.*?),?\)$/s, '$1$2')
    .trim();
  if (list === '') return [];
  const parts = list.split(',').map((part) => part.trim());
  if (parts.every((part) => /^-?\d+$/.test(part))) return parts.map(Number);
  throw new ArrayInterfaceError(
    'ERR_TYPE',
    name,
    `expected integers separated by commas, got ${JSON.stringify(text.trim())}; write ${example}`,
  );
}
