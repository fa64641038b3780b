import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { asked, guarded } from '../input/dict.js';
import { readPointer } from '../input/integer.js';

/**
 * The JavaScript form of a Python capsule that carries a `DPCTLSyclQueueRef` or context reference.
 */
export interface SyclCapsule {
  /** `used_…` once a consumer has taken the reference. */
  readonly name: 'SyclQueueRef' | 'SyclContextRef' | (string & {});
  /** The opaque pointer in the capsule. */
  readonly pointer: bigint;
}

/**
 * What `syclobj` may be: a filter selector (`opencl:cpu:0`), a capsule, or an object that returns
 * one.
 */
export type SyclObject = string | SyclCapsule | { _get_capsule(): SyclCapsule };

const BACKEND = '(?:opencl|level_zero|cuda|hip|native_cpu)';
const TYPE = '(?:cpu|gpu|accelerator)';
const INDEX = '(?:0|[1-9]\\d*)';
const FILTER = `(?:${BACKEND}(?::${TYPE})?(?::${INDEX})?|${TYPE}(?::${INDEX})?|${INDEX})`;
const SELECTOR = new RegExp(`^${FILTER}$`);
/** The last valid selector: a program has few and reads them often. */
let lastSelector: string | null = null;
const NAMES = ['SyclQueueRef', 'SyclContextRef'];

/**
 * Checks a `syclobj` and returns it unchanged. Reads an object's capsule once, and does not keep
 * it. Implements SUAI v1 "syclobj". Throws ERR_TYPE, ERR_SYCLOBJ, ERR_POINTER_RANGE.
 */
export function readSyclobj(value: unknown, path: string): SyclObject {
  if (typeof value === 'string') {
    if (value === lastSelector || value.split(',').every((one) => SELECTOR.test(one))) {
      lastSelector = value;
      return value;
    }
    throw mismatch('ERR_SYCLOBJ', path, 'a filter selector such as "opencl:cpu:0"', show(value));
  }
  const capsule = asCapsule(value, path) ?? asCapsule(ask(value, path), path);
  if (capsule === null) {
    throw mismatch(
      'ERR_TYPE',
      path,
      'a filter selector, a capsule {name, pointer} or an object with _get_capsule()',
      show(value),
    );
  }
  readPointer(capsule.pointer, path);
  if (NAMES.includes(capsule.name)) return value as SyclObject;
  throw mismatch(
    'ERR_SYCLOBJ',
    path,
    `a capsule named ${NAMES.join(' or ')}`,
    show(capsule.name),
    'a used capsule cannot be used again',
  );
}

function asCapsule(value: unknown, path: string): SyclCapsule | null {
  if (typeof value !== 'object' || value === null) return null;
  return guarded('ERR_TYPE', path, () => {
    if (Array.isArray(value) || !('name' in value) || !('pointer' in value)) return null;
    const { name, pointer } = value;
    return typeof name === 'string' && typeof pointer === 'bigint' ? { name, pointer } : null;
  });
}

function ask(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return null;
  const provider = value as { readonly _get_capsule?: unknown };
  const getCapsule = guarded('ERR_TYPE', path, () => provider._get_capsule);
  if (typeof getCapsule !== 'function') return null;
  return asked('ERR_TYPE', path, () => getCapsule.call(provider));
}
