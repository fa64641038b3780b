import { types } from 'node:util';
import { ArrayInterfaceError } from '@array-interface/core';
import { addon } from '../addon.js';

/** Python's part: what `with` does, which looks for the methods in the class. */
const CODE = `
def enter(manager): return type(manager).__enter__(manager), manager
def leave(manager): type(manager).__exit__(manager, None, None, None)
def fail(manager, throw):
    """Whether the manager swallows what is thrown."""
    try: throw()
    except BaseException as error:
        return bool(type(manager).__exit__(manager, type(error), error, error.__traceback__))
def lacks(manager):
    kind = type(manager)
    return not (hasattr(kind, '__enter__') and hasattr(kind, '__exit__'))
`;

/** What `enter` returned, each with the manager that is left when it is disposed. */
let entered: WeakMap<object, object> | null = null;
let functions: object | null = null;

/** Calls a function of CODE's. */
function call(name: string, ...args: readonly unknown[]): unknown {
  const { callMethod, construct, dispose, getItem, import: load } = addon();
  if (functions === null) {
    const names = construct('dict');
    callMethod(load('builtins'), 'exec', [CODE, names]);
    functions = names;
  }
  const called = getItem(functions, name) as object;
  try {
    return addon().call(called, args);
  } finally {
    dispose(called);
  }
}

/** Implements `Python.enter`. */
export function enter(manager: object): object {
  const [value, own] = begin(manager);
  entered ??= new WeakMap();
  entered.set(value, own);
  return value;
}

/** Leaves the manager of what `enter` returned. Does nothing for other objects. */
export function leave(value: object): void {
  const manager = entered?.get(value);
  if (manager === undefined) return;
  entered?.delete(value);
  end(manager);
}

/** Implements `Python.with`. */
export function withManager(manager: object, body: (value: unknown) => unknown): unknown {
  const [value, own] = begin(manager);
  const succeed = (result: unknown) => {
    end(own);
    return result;
  };
  const fail = (error: unknown) => {
    const thrower = () => {
      throw error;
    };
    if (end(own, thrower)) return undefined;
    throw error;
  };
  let result: unknown;
  try {
    result = body(plain(value));
  } catch (error) {
    return fail(error);
  }
  return types.isPromise(result) ? result.then(succeed, fail) : succeed(result);
}

/** Leaves a manager, and returns whether it swallows what `thrower` throws. */
function end(manager: object, thrower?: () => never): boolean {
  try {
    if (thrower !== undefined) return call('fail', manager, thrower) === true;
    call('leave', manager);
    return false;
  } finally {
    addon().dispose(manager);
  }
}

/** What `__enter__` returned, and the manager, which its own PyObject may be disposed before. */
function begin(manager: object): [value: object, manager: object] {
  if (call('lacks', manager) === true) throw noManager(manager);
  const { dispose, rawGetItem } = addon();
  const both = call('enter', manager) as object;
  try {
    return [rawGetItem(both, 0), rawGetItem(both, 1)];
  } finally {
    dispose(both);
  }
}

/** The value as `get` would return it. */
function plain(value: object): unknown {
  try {
    return addon().toJS(value, 0, false);
  } finally {
    addon().dispose(value);
  }
}

function noManager(manager: object): ArrayInterfaceError {
  const [got, advice] = addon().has(manager, '__aenter__')
    ? ['an asynchronous one', 'enter it in a coroutine, with async with']
    : ['an object without __enter__ and __exit__', 'pass what the with of Python takes'];
  const message = `expected a context manager, got ${got}; ${advice}`;
  return new ArrayInterfaceError('ERR_TYPE', 'manager', message);
}
