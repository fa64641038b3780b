import { spawn } from 'node:child_process';
import type { Environment } from '@array-interface/sycl';
import { Failure } from '../output/failure.js';
import { printableLines } from '../output/write-line.js';
import { pythonMinors } from './requirements.js';

const common = ['--no-input', '--disable-pip-version-check', '--quiet'];

const { first, last } = pythonMinors;

/** What pip's standard error tells; `$1` is what it names. */
const CAUSES: readonly (readonly [pattern: RegExp, reason: string, remedy: string])[] = [
  [/No space left on device|Errno 28/, 'the disk is full', 'free some space and run this again'],
  [
    /NewConnectionError|ConnectTimeout|Name or service|name resolution|Connection (?:refused|reset|broken)|ProxyError|SSLError|Network is unreachable|ReadTimeout/i,
    'pip cannot reach the package index',
    'run this again with a network, or point pip at an index that can be reached (PIP_INDEX_URL)',
  ],
  [
    /No matching distribution found for (\S+)/,
    'pip finds no wheel of $1 for this Python and platform',
    `name a CPython 3.${first} to 3.${last} in ARRAY_INTERFACE_PYTHON`,
  ],
  [
    /THESE PACKAGES DO NOT MATCH THE HASHES.*?^ *(\S+==\S+)/ms,
    'the wheel of $1 is not the one that was tested: its hash is another',
    'remove what an earlier attempt left (the folder .partial beside the runtime), and use an index that can be trusted',
  ],
];

/** Why pip failed, from its standard error. */
export function explain(errors: string): Failure {
  for (const [pattern, reason, remedy] of CAUSES) {
    const match = pattern.exec(errors);
    if (match)
      return new Failure(
        reason.replace('$1', () => match[1] ?? ''),
        remedy,
      );
  }
  const line = errors.split('\n').findLast((text) => text.startsWith('ERROR:'));
  return new Failure(
    `pip failed${line ? `: ${line.slice(7)}` : ''}`,
    'see what pip wrote above and run this again',
  );
}

/** How to start pip. */
export interface Pip {
  readonly command: readonly [string, ...string[]];
  readonly env: Environment;
  /** The folder in which it runs. */
  readonly folder: string;
}

/**
 * Runs pip, with its progress bar if this is a terminal. Rejects with a Failure with the reason if
 * pip fails.
 */
export function runPip({ command, env, folder }: Pip, args: readonly string[]): Promise<void> {
  const [program, ...before] = command;
  const bar = process.stdout.isTTY ? [] : ['--progress-bar', 'off'];
  const quiet = process.stdout.isTTY ? common.filter((flag) => flag !== '--quiet') : common;
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...before, ...args, ...quiet, ...bar], {
      env,
      cwd: folder,
      stdio: ['ignore', 'inherit', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.on('error', (error) => reject(explain(`ERROR: ${error.message}`)));
    child.on('close', (status) => {
      if (status === 0) return resolve();
      const failure = explain(errors);
      if (failure.message.startsWith('pip failed')) process.stderr.write(printableLines(errors));
      reject(failure);
    });
  });
}
