import {
  ArrayInterfaceError,
  type ArrayProducer,
  type DType,
  dtype as readDType,
} from '@array-interface/core';
import {
  arrayCapsule,
  BackendArray,
  checkFlag,
  checkThat,
  insteadOfOwnArray,
  replace,
} from '@array-interface/core/backend';
import { addon } from './addon.js';
import { recordWords } from './arrays/record-format.js';
import type { NamedArguments } from './named-arguments.js';
import type { PyObject } from './objects/py-object.js';
import { readOwnOptions } from './own-options.js';

/** A library of Python, or its built-in `memoryview`, whose array `toPython` makes. */
export type ArrayLibrary =
  | 'numpy'
  | 'torch'
  | 'jax'
  | 'cupy'
  | 'numba'
  | 'dpctl'
  | 'dpnp'
  | 'memoryview';

const UINT8 = readDType('uint8');

/** How each library makes an array of its own over the memory of another. */
const MAKERS: Readonly<Record<ArrayLibrary, (array: PyObject) => PyObject>> = {
  numpy: (array) => call('numpy', 'asarray', array),
  torch: (array) => call('torch', 'from_dlpack', array),
  jax: (array) => call('jax.numpy', 'from_dlpack', array, { copy: false }),
  cupy: (array) => call('cupy', 'from_dlpack', array),
  numba: (array) => call('numba.cuda', 'as_cuda_array', array),
  dpctl: (array) => call('dpctl.tensor', 'asarray', array, { copy: false }),
  dpnp: (array) => call('dpnp', 'asarray', MAKERS.dpctl(array)),
  memoryview: (array) => call('builtins', 'memoryview', array),
};

/** Options of `Python.toPython`. */
export interface ToPythonOptions {
  /** True if Python may only read the array. Default: true for a read-only array. */
  readonly readOnly?: boolean;
  /**
   * The library whose array it becomes, without a copy: numba is `numba.cuda`. Default: an object
   * that all of them take.
   */
  readonly as?: ArrayLibrary;
}

const names = Object.keys(MAKERS);
const CHECKS = {
  readOnly: checkFlag,
  as: checkThat((value) => names.includes(value as string), `one of ${names.join(', ')}`),
};

/** Implements `Python.toPython`. */
export function toPython(array: ArrayProducer, options?: ToPythonOptions): PyObject {
  if (options === undefined) return shared(array, false);
  const { readOnly = false, as } = readOwnOptions(options, CHECKS);
  const object = shared(array, readOnly);
  return as === undefined ? object : MAKERS[as](object);
}

function call(module: string, name: string, array: PyObject, kwargs?: NamedArguments): PyObject {
  return (addon().import(module) as PyObject).callMethod(name, [array], kwargs);
}

function shared(array: ArrayProducer, readOnly: boolean): PyObject {
  const packed = packedBytes(array);
  const give = (packed ?? array)?.[arrayCapsule];
  if (typeof give !== 'function') throw noArray(array);
  const dtype = (array as { readonly dtype?: DType }).dtype;
  const { descr = null, format = null } = dtype?.fields ? recordWords(dtype) : {};
  const typestr = packed === null ? null : (dtype as DType).typestr;
  const capsule = give.call(packed ?? array);
  return addon().toPython(capsule, readOnly, descr, format, typestr) as PyObject;
}

function areWhole(byteStrides: readonly number[], itemsize: number): boolean {
  for (const stride of byteStrides) if (stride % itemsize !== 0) return false;
  return true;
}

/**
 * The bytes of an array whose elements are not a whole number of elements apart, as a field of packed
 * records has them, along a last axis. Null for any other, and where an interface has no such strides.
 */
function packedBytes(array: unknown): ArrayProducer | null {
  if (!(array instanceof BackendArray)) return null;
  const { descriptor, backend } = array;
  const { shape, byteStrides, itemsize } = descriptor;
  if (areWhole(byteStrides, itemsize) || backend.protocol === 'sycl') return null;
  const bytes = { shape: [...shape, itemsize], byteStrides: [...byteStrides, 1], dtype: UINT8 };
  return backend.asArray(replace(descriptor, bytes)) as ArrayProducer;
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
