import { ArrayInterfaceError, type ArrayProducer, type DType } from '@array-interface/core';
import { arrayCapsule, checkFlag, insteadOfOwnArray } from '@array-interface/core/backend';
import { addon } from './addon.js';
import type { PyObject } from './objects/py-object.js';
import { readOwnOptions } from './own-options.js';
import { recordWords } from './record-format.js';

/** Options of `Python.toPython`. */
export interface ToPythonOptions {
  /** True if Python may only read the array. Default: true for a read-only array. */
  readonly readOnly?: boolean;
}

const CHECKS = { readOnly: checkFlag };

/** Implements `Python.toPython`. */
export function toPython(array: ArrayProducer, options?: ToPythonOptions): PyObject {
  const readOnly =
    options === undefined ? false : (readOwnOptions(options, CHECKS).readOnly ?? false);
  const give = (array as Partial<ArrayProducer> | null | undefined)?.[arrayCapsule];
  if (typeof give !== 'function') throw noArray(array);
  const dtype = (array as { readonly dtype?: DType }).dtype;
  const { descr = null, format = null } = dtype?.fields ? recordWords(dtype) : {};
  return addon().toPython(give.call(array), readOnly, descr, format) as PyObject;
}

function noArray(got: unknown): ArrayInterfaceError {
  const isJavaScripts =
    ArrayBuffer.isView(got) || Object.prototype.toString.call(got) === '[object ArrayBuffer]';
  const other = insteadOfOwnArray(got, 'host');
  const { got: what, cure = 'pass one, for example from host.array(…)' } = isJavaScripts
    ? {
        got: 'JavaScript memory',
        cure: 'pass it to the call as it is, or copy it with await host.array(…)',
      }
    : other;
  return new ArrayInterfaceError(
    'ERR_TYPE',
    'array',
    `expected an array of a backend, got ${what}; ${cure}`,
  );
}
