import { spawn } from 'node:child_process';
import type { Environment } from '@array-interface/sycl';
import { printableLines } from '../output/write-line.js';
import { Failure } from './outcome.js';
import { pythonMinors } from './requirements.js';

const common = ['--no-input', '--disable-pip-version-check', '--quiet'];

/** Why pip failed, from its standard error. */
export function explain(errors: string): Failure {
  if (/No space left on device|Errno 28/.test(errors)) {
    return new Failure('the disk is full', 'free some space and run this again');
  }
  if (
    /NewConnectionError|ConnectTimeout|Name or service|name resolution|Connection (refused|reset|broken)|ProxyError|SSLError|Network is unreachable|ReadTimeout/i.test(
      errors,
    )
  ) {
    return new Failure(
      'pip cannot reach the package index',
      'run this again with a network, or point pip at an index that can be reached (PIP_INDEX_URL)',
    );
  }
  const wanted = /No matching distribution found for (\S+)/.exec(errors)?.[1];
  if (wanted) {
    const { first, last } = pythonMinors;
    return new Failure(
      `pip finds no wheel of ${wanted} for this Python and platform`,
      `name a CPython 3.${first} to 3.${last} in ARRAY_INTERFACE_PYTHON`,
    );
  }
  const other = /THESE PACKAGES DO NOT MATCH THE HASHES.*?^ *(\S+==\S+)/ms.exec(errors)?.[1];
  if (other) {
    return new Failure(
      `the wheel of ${other} is not the one that was tested: its hash is another`,
      'remove what an earlier attempt left (the folder .partial beside the runtime), and use an index that can be trusted',
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
