import { ArrayInterfaceError } from '@array-interface/core';
import { checkThat, readSignal, unchecked } from '@array-interface/core/backend';
import { addon } from '../addon.js';
import { areNamed } from '../named-arguments.js';
import { abortable, awaitObject, isCoroutine } from '../objects/await.js';
import { unproxied } from '../objects/proxied.js';
import type { PyObject } from '../objects/py-object.js';
import { readOwnOptions } from '../own-options.js';

/** Options of `Python.runAsync`. */
export interface RunOptions {
  /** Keyword arguments, by name. */
  readonly kwargs?: Readonly<Record<string, unknown>>;
  /** Cancels the call when it is aborted, by raising KeyboardInterrupt. */
  readonly signal?: AbortSignal;
  /**
   * The name of a thread of its own, which makes the calls that name it, one after the other, and
   * lives as long as the process: for what belongs to a thread, such as a connection of `sqlite3`.
   * Default: one of at most 64 threads, which take calls in turn.
   */
  readonly thread?: string;
}

const CHECKS = {
  kwargs: checkThat(areNamed, 'a plain object of keyword arguments'),
  signal: unchecked,
  thread: checkThat((value) => typeof value === 'string' && value !== '', 'a name'),
};

/** Implements `Python.runAsync`. */
export async function runAsync(
  callable: PyObject,
  args: readonly unknown[] = [],
  options: RunOptions = {},
): Promise<unknown> {
  if (args === null) {
    const message = 'expected an array of arguments, got null; put them in an array';
    throw new ArrayInterfaceError('ERR_TYPE', 'args', message);
  }
  const { kwargs, thread = '', ...wait }: RunOptions = readOwnOptions(options, CHECKS);
  const signal = readSignal(wait);
  signal?.throwIfAborted();
  const { cancel, runAsync: start } = addon();
  const { promise, run } = start(unproxied(callable), args, kwargs, thread);
  const [result] = await abortable(promise, () => cancel(run), 'KeyboardInterrupt', signal);
  return isCoroutine(result) ? awaitObject(result, wait) : result;
}
