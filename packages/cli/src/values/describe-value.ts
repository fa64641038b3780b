import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  fromProducer,
  type Protocol,
  protocols,
} from '@array-interface/core';
import type { Parsed } from './json.js';
import { reviveSyclobj } from './syclobj.js';

/** One value of the input, after parsing. */
export interface Described {
  readonly protocol: Protocol;
  readonly version: number;
  readonly array: ArrayDescriptor;
}

/** Reads `{"__…_interface__": {…}}`. Throws ArrayInterfaceError. */
export function describeValue(parsed: Parsed): Described {
  if ('problem' in parsed) throw new ArrayInterfaceError('ERR_TYPE', null, parsed.problem);
  const producer = parsed.value;
  if (!isDict(producer)) {
    const message = `expected an object that holds an interface dict, got ${kindOf(producer)}`;
    throw new ArrayInterfaceError('ERR_TYPE', null, message);
  }
  refuseBare(producer);
  const sycl = producer[protocols.sycl.attribute];
  const array = fromProducer(
    isDict(sycl) ? { ...producer, [protocols.sycl.attribute]: revived(sycl) } : producer,
  );
  const protocol = (Object.keys(protocols) as Protocol[]).find((one) =>
    Object.hasOwn(producer, protocols[one].attribute),
  ) as Protocol;
  const dict = producer[protocols[protocol].attribute] as { version: number };
  return { protocol, version: dict.version, array };
}

/** Refuses a bare dict, as `json.dumps(array.__cuda_array_interface__)` prints it. */
function refuseBare(value: Record<string, unknown>): void {
  if (!Object.hasOwn(value, 'shape') || !Object.hasOwn(value, 'typestr')) return;
  const names = Object.values(protocols).map(({ attribute }) => attribute);
  if (names.some((name) => Object.hasOwn(value, name))) return;
  const likely = protocols[Object.hasOwn(value, 'syclobj') ? 'sycl' : 'cuda'].attribute;
  const message = `expected an object with ${names.join(' or ')}, got a dict without the attribute around it; write {"${likely}":{…}}`;
  throw new ArrayInterfaceError('ERR_NO_INTERFACE', null, message);
}

function revived(dict: Record<string, unknown>): Record<string, unknown> {
  const { syclobj } = dict;
  return syclobj === undefined ? dict : { ...dict, syclobj: reviveSyclobj(syclobj) };
}

function isDict(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' || typeof value === 'boolean' ? `a ${typeof value}` : 'a number';
}
