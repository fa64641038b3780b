import type { ArrayInterfaceError, ErrorCode } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { withFallback } from '../errors/with-fallback.js';
import { ATTRIBUTES, type Attributed, exposedBy } from './attributes.js';

/** What was given where an array belongs, and what to do. */
export interface Instead {
  readonly got: string;
  readonly cure?: string | undefined;
}

/**
 * The calls that make an array of what was given. Those of a backend are in `backend/interface`, so
 * that pages which only describe arrays do not load their texts.
 */
export interface Advice {
  readonly list: string;
  readonly memory: string;
  /** For an object with `data` and `shape`. */
  readonly parts: string;
  /** For one that also has strides, of which `view` makes an array of the host. */
  readonly strided: (view: string) => string;
  /** Undefined if no call makes an array of one number. */
  readonly number?: string;
  /** For another language's object. Undefined if such an object is accepted. */
  readonly proxy?: string;
  /** For an object that exposes an interface which the function does not read. */
  readonly producer: (exposed: Attributed) => string;
  /** For a dict without its object, of the interface whose own keys it has; `host` without any. */
  readonly dict: (kind: Attributed) => string;
}

const DESCRIBE = 'describe it with fromProducer';

/** The calls of core itself. */
export const CORE_ADVICE: Advice = {
  list: `${DESCRIBE}(new Float32Array(list))`,
  memory: `${DESCRIBE}(data)`,
  parts: `${DESCRIBE}(object.data)`,
  strided: (view) => `view it with ${view}`,
  proxy: "pass it to a backend's asArray() first",
  producer: () => `${DESCRIBE}(object)`,
  dict: (kind) => {
    if (kind === 'sycl') return 'read it with fromSyclUsmArrayInterface(dict)';
    const host = kind === 'cuda' ? '' : ', or fromArrayInterface(dict) if it is of the host';
    return `read it with fromCudaArrayInterface(dict)${host}`;
  },
};

/** `arrayProducer`, the method of a proxy of another language's object, such as a PyObject. */
const proxyMethod = Symbol.for('array-interface.producer');

/**
 * Names what was given where an array belongs, and the call that makes an array of it. Null if
 * nothing is known of the value. Reads as little of it as that takes, and never throws.
 */
export function insteadOfArray(value: unknown, advice: Advice = CORE_ADVICE): Instead | null {
  if (value === undefined || value === null) {
    return { got: show(value), cure: 'pass an array; copy(), fill() and put() return none' };
  }
  if (typeof value !== 'object') {
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    return { got: show(value), cure: isNumber ? advice.number : undefined };
  }
  const has = (key: PropertyKey) => withFallback(() => key in value, false);
  const get = (key: string) =>
    withFallback(() => (value as Record<string, unknown>)[key], undefined);
  if (typeof get('then') === 'function') return { got: 'a promise', cure: 'await it' };
  if (isList(value)) return { got: 'a list', cure: advice.list };
  if (isMemory(value)) return { got: 'JavaScript memory', cure: advice.memory };
  const exposed = exposedBy(value);
  if (exposed !== null) {
    return { got: `an object with ${ATTRIBUTES[exposed]}`, cure: advice.producer(exposed) };
  }
  if (has('shape') && has('typestr')) {
    const kind = has('syclobj') ? 'sycl' : has('stream') ? 'cuda' : 'host';
    return { got: 'the dict itself', cure: advice.dict(kind) };
  }
  const { proxy } = advice;
  if (proxy !== undefined && has(proxyMethod)) {
    return { got: "another language's object", cure: proxy };
  }
  if (!isList(get('shape')) || !(isList(get('data')) || isMemory(get('data')))) return null;
  const strides = ['strides', 'stride'].find((key) => isList(get(key)));
  const cure = strides === undefined ? advice.parts : advice.strided(viewOf(get, strides));
  return { got: 'an object with data and shape', cure };
}

/** The call for elements and their layout, as zarrita, @stdlib and others have them. */
function viewOf(get: (key: string) => unknown, strides: string): string {
  const elements = isMemory(get('data')) ? 'object.data' : 'Float64Array.from(object.data)';
  const offset = typeof get('offset') === 'number' ? ', elementOffset: object.offset' : '';
  const layout = `{ shape: object.shape, elementStrides: object.${strides}${offset} }`;
  return `host.asArray(${elements}, ${layout})`;
}

/** Returns the error for a value that is no array. `otherwise`: if nothing is known of the value. */
export function notAnArray(
  code: ErrorCode,
  path: string | null,
  expected: string,
  value: unknown,
  advice?: Advice,
  otherwise: Instead = { got: show(value) },
): ArrayInterfaceError {
  const { got, cure = otherwise.cure } = insteadOfArray(value, advice) ?? otherwise;
  return mismatch(code, path, expected, got, cure);
}

function isList(value: unknown): boolean {
  return withFallback(() => Array.isArray(value), false);
}

function isMemory(value: unknown): boolean {
  const name = () => Object.prototype.toString.call(value);
  return ArrayBuffer.isView(value) || /Buffer\]$/.test(withFallback(name, ''));
}
