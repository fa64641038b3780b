import { isArrayInterfaceError } from '@array-interface/core';
import { readSignal, unchecked } from '@array-interface/core/backend';
import { addon } from '../addon.js';
import { readOwnOptions } from '../own-options.js';
import { unproxied } from './proxied.js';
import { addFrames } from './python-stack.js';

/** Options of `Python.await`. */
export interface AwaitOptions {
  /** Cancels the coroutine when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Implements `Python.await`. */
export async function awaitObject(object: object, options: AwaitOptions = {}): Promise<unknown> {
  const signal = readSignal(readOwnOptions(options, { signal: unchecked }));
  signal?.throwIfAborted();
  const { beginAwait, cancelAwait } = addon();
  const { promise, awaited } = beginAwait(unproxied(object));
  return abortable(promise, () => cancelAwait(awaited), 'CancelledError', signal);
}

/**
 * Calls `end` if the signal is aborted before the promise settles. Rejects with the signal's reason
 * if what Python raises then is `type`.
 */
export async function abortable<T>(
  promise: Promise<T>,
  end: () => void,
  type: string,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await promise;
  } catch (error) {
    addFrames(error); // it was made while no JavaScript ran
    throw signal?.aborted && isRaised(error, type) ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** True for a PythonError of an exception's class. */
function isRaised(error: unknown, type: string): boolean {
  return isArrayInterfaceError(error, 'ERR_PYTHON') && (error as { type?: unknown }).type === type;
}

/** True for a PyObject that can be awaited. */
export function isCoroutine(value: unknown): value is object {
  return typeof value === 'object' && value !== null && addon().isAwaitable(value);
}

/**
 * Adds `then` and `Symbol.asyncIterator` to a class, for the objects alone that Python can await, or
 * iterate over asynchronously: for others they are undefined, and no promise takes them for one of
 * its kind.
 */
export function standForPromises(prototype: object): void {
  Object.defineProperty(prototype, 'then', {
    get(this: object) {
      if (!addon().isAwaitable(this)) return undefined;
      return (resolve?: (value: unknown) => unknown, reject?: (reason: unknown) => unknown) =>
        awaitObject(this).then(resolve, reject);
    },
  });
  Object.defineProperty(prototype, Symbol.asyncIterator, {
    get(this: object) {
      return addon().isAsyncIterable(this) ? () => asyncIterate(this) : undefined;
    },
  });
}

/** Iterates as Python's `async for` does. Leaving the loop early closes a generator. */
async function* asyncIterate(object: object): AsyncGenerator<unknown, void, undefined> {
  const { callMethod, dispose, has } = addon();
  const iterator = callMethod(object, '__aiter__') as object;
  try {
    while (true) {
      const next = callMethod(iterator, '__anext__') as object;
      try {
        yield await awaitObject(next);
      } catch (error) {
        if (isRaised(error, 'StopAsyncIteration')) return;
        throw error;
      } finally {
        dispose(next);
      }
    }
  } finally {
    if (has(iterator, 'aclose')) await awaitObject(callMethod(iterator, 'aclose') as object);
    dispose(iterator);
  }
}
