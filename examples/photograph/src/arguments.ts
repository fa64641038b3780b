import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Refusal } from './refusal.js';

const DEFAULT_PHOTO = fileURLToPath(new URL('../../data/astronaut.png', import.meta.url));

export interface Arguments {
  readonly photo: string;
  readonly out: string;
  /** Whether to print every interface dict, every layout and the times. */
  readonly verbose: boolean;
}

/** Reads `[PHOTO] [--out FILE.png] [--verbose]`; paths count from the current folder. Throws a Refusal. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  if (positionals.length > 1) {
    throw new Refusal(
      `expected one photograph, got ${positionals.length}: ${positionals.join(' ')}`,
    );
  }
  const photo = path.resolve(positionals[0] ?? DEFAULT_PHOTO);
  const out = path.resolve(values.out ?? `${path.parse(photo).name}.upside-down.png`);
  if (path.extname(out).toLowerCase() !== '.png') {
    throw new Refusal(`expected --out to name a .png file, got ${out}`);
  }
  return { photo, out, verbose: values.verbose };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { out: { type: 'string' }, verbose: { type: 'boolean', default: false } },
    });
  } catch (error) {
    const usage = 'usage: npm start [-- PHOTO [--out FILE.png] [--verbose]]';
    throw new Refusal(`${(error as Error).message.split('\n')[0]}; ${usage}`);
  }
}
