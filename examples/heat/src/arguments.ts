import path from 'node:path';
import { parseArgs } from 'node:util';
import { Refusal } from './refusal.js';

const MEMORIES = ['host', 'sycl', 'cuda'] as const;

/** The memory of the ranks in Node: the host's, SYCL's shared memory, or a CUDA device's. */
type MemoryName = (typeof MEMORIES)[number];

export interface Arguments {
  readonly ranks: number;
  /** The rows of the field, and its columns, which the ranks share. */
  readonly rows: number;
  readonly columns: number;
  readonly steps: number;
  readonly memory: MemoryName;
  /** The picture. */
  readonly out: string;
  /** The Python environment with NumPy and mpi4py. */
  readonly venv: string;
}

const USAGE =
  'usage: heat --venv FOLDER [--ranks 2] [--memory host|sycl|cuda] [--rows 200] [--columns 300] [--steps 500] [--out heat.png]';

/** Reads the arguments; paths count from the current folder. Throws a Refusal. */
export function readArguments(args: readonly string[]): Arguments {
  const values = parse(args);
  const ranks = count(values, 'ranks', 1);
  const columns = count(values, 'columns', 1);
  if (ranks > columns) {
    throw new Refusal(`expected --ranks of at most ${columns}, the columns, got ${ranks}`);
  }
  const memory = MEMORIES.find((name) => name === values.memory);
  if (memory === undefined) {
    throw new Refusal(`expected --memory host, sycl or cuda, got ${values.memory}; ${USAGE}`);
  }
  if (values.venv === undefined) throw new Refusal(`expected --venv, got none; ${USAGE}`);
  return {
    ranks,
    rows: count(values, 'rows', 3),
    columns,
    steps: count(values, 'steps', 0),
    memory,
    out: path.resolve(values.out),
    venv: path.resolve(values.venv),
  };
}

/** The arguments of a rank, which reads them again. */
export function writeArguments(given: Arguments): string[] {
  return Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

function parse(args: readonly string[]) {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        ranks: text('2'),
        rows: text('200'),
        columns: text('300'),
        steps: text('500'),
        memory: text('host'),
        out: text('heat.png'),
        venv: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new Refusal(`${(error as Error).message.split('\n')[0]}; ${USAGE}`);
  }
}

function count<Name extends string>(
  values: { readonly [name in Name]: string },
  name: Name,
  least: number,
) {
  const value = Number(values[name]);
  if (/^\d+$/.test(values[name]) && value >= least && value <= 1e6) return value;
  throw new Refusal(`expected --${name} from ${least} to 1000000, got ${values[name]}; ${USAGE}`);
}
