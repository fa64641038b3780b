import type { ArrayInterfaceError, ErrorCode } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { withFallback } from '../errors/with-fallback.js';
import { ATTRIBUTES, exposedBy } from './attributes.js';

/** What was given where an array belongs, and what to do. */
export interface Instead {
  readonly got: string;
  readonly cure?: string | undefined;
}

/** `arrayProducer`, the method of a proxy of another language's object, such as a PyObject. */
const proxyMethod = Symbol.for('array-interface.producer');

/**
 * Names what was given where an array belongs, and the call that makes an array of it. `backend` is
 * the backend whose function it was given to; a function of core needs no backend. Null if nothing
 * is known of the value. Reads as little of it as that takes, and never throws.
 */
export function insteadOfArray(value: unknown, backend?: string): Instead | null {
  if (value === undefined || value === null) {
    return { got: show(value), cure: 'pass an array; what only writes into one returns none' };
  }
  if (typeof value !== 'object') return insteadOfLeaf(value, backend);
  const has = (key: PropertyKey) => withFallback(() => key in value, false);
  const get = (key: string) =>
    withFallback(() => (value as Record<string, unknown>)[key], undefined);
  if (typeof get('then') === 'function') return { got: 'a promise', cure: 'await it' };
  const make = advice(backend);
  if (isList(value)) return { got: 'a list', cure: make('list', 'new Float32Array(list)') };
  if (isMemory(value)) return { got: 'JavaScript memory', cure: make('data') };
  const exposed = exposedBy(value);
  if (exposed !== null) return insteadOfProducer(exposed, backend);
  if (has('shape') && has('typestr')) return insteadOfDict(has, backend);
  if (backend === undefined && has(proxyMethod)) {
    return { got: "another language's object", cure: "pass it to a backend's asArray() first" };
  }
  if (!isList(get('shape')) || !(isList(get('data')) || isMemory(get('data')))) return null;
  const isStrided = has('stride') || has('strides');
  return {
    got: 'an object with data and shape',
    cure: isStrided
      ? insteadOfStrided(has('stride') ? 'stride' : 'strides', backend)
      : make('object.data, { shape: object.shape }', 'object.data'),
  };
}

/** Libraries of JavaScript count strides in elements. */
function insteadOfStrided(key: string, backend: string | undefined): string {
  if (backend === undefined) {
    return 'describe it with makeDescriptor({ buffer, pointer, shape, byteStrides, dtype })';
  }
  const layout = `object.data, { shape: object.shape, elementStrides: object.${key} }`;
  const view = `host.asArray(${layout})`;
  return backend === 'host' ? `view it with ${view}` : `copy ${view} with await ${backend}.array()`;
}

/** Returns the error for a value that is no array. `cure`: if nothing is known of the value. */
export function notAnArray(
  code: ErrorCode,
  path: string | null,
  expected: string,
  value: unknown,
  backend?: string,
  otherwise: Instead = { got: show(value) },
): ArrayInterfaceError {
  const { got, cure = otherwise.cure } = insteadOfArray(value, backend) ?? otherwise;
  return mismatch(code, path, expected, got, cure);
}

/** Says how to make an array of `data`. `described`: the same for `fromProducer`. */
function advice(backend: string | undefined) {
  return (data: string, described = data) =>
    backend === undefined
      ? `describe it with fromProducer(${described})`
      : `make an array of it with await ${backend}.array(${data})`;
}

function insteadOfLeaf(value: unknown, backend: string | undefined): Instead | null {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (!isNumber || backend === undefined) return { got: show(value) };
  return { got: show(value), cure: `make an array of it with await ${backend}.array(value)` };
}

function insteadOfProducer(exposed: string, backend: string | undefined): Instead {
  const got = `an object with ${ATTRIBUTES[exposed as 'host']}`;
  if (backend === undefined) return { got, cure: 'describe it with fromProducer(object)' };
  return {
    got,
    cure: `borrow it with ${exposed}.asArray(object), and copy that with await ${backend}.array()`,
  };
}

function insteadOfDict(has: (key: string) => boolean, backend: string | undefined): Instead {
  const got = 'the dict itself';
  if (has('syclobj')) {
    const read = 'read it with fromSyclUsmArrayInterface(dict)';
    return { got, cure: backend === undefined ? read : wrapped('sycl') };
  }
  if (backend === undefined) {
    const host = has('stream') ? '' : ', or fromArrayInterface(dict) if it is of the host';
    return { got, cure: `read it with fromCudaArrayInterface(dict)${host}` };
  }
  return { got, cure: wrapped(has('stream') || backend === 'cuda' ? 'cuda' : 'host') };
}

function wrapped(protocol: keyof typeof ATTRIBUTES): string {
  return `pass the object that it describes, or { ${ATTRIBUTES[protocol]}: dict }`;
}

function isList(value: unknown): boolean {
  return withFallback(() => Array.isArray(value), false);
}

function isMemory(value: unknown): boolean {
  const name = () => Object.prototype.toString.call(value);
  return ArrayBuffer.isView(value) || /Buffer\]$/.test(withFallback(name, ''));
}
