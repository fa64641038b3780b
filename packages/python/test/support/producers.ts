import { fileURLToPath } from 'node:url';
import { ArrayInterfaceError, type ArrayLike, type Backend } from '@array-interface/core';
import { host } from '@array-interface/host';
import { PyObject, type Python, startPython } from '@array-interface/python';
import { venv } from './environment.js';

/** Python, with the objects of producers.py among its names. */
export const python: Python = startPython({ venv });
python.exec(`
import sys
sys.path.insert(0, ${JSON.stringify(fileURLToPath(new URL('.', import.meta.url)))})
sys.dont_write_bytecode = True
from producers import *
`);

/** An object of Python's, not a value. */
export function object(code: string): PyObject {
  const made = python.eval(code);
  if (made instanceof PyObject) return made;
  throw new TypeError(`${code} crosses by value`);
}

/** What a backend says of an array that it does not take. */
export function refusal(source: ArrayLike, backend: Backend = host): ArrayInterfaceError {
  try {
    backend.asArray(source)[Symbol.dispose]();
  } catch (error) {
    if (error instanceof ArrayInterfaceError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

/** Code, path and message of it. */
export function faultOf(code: string): readonly [code: string, path: string | null, text: string] {
  const error = refusal(object(code));
  return [error.code, error.path, error.reason];
}

/** The address of the first element of an array of NumPy's. */
export function addressOf(name: string): bigint {
  return BigInt(python.eval(`${name}.ctypes.data`) as number);
}
