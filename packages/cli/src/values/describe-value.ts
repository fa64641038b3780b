import {
  type ArrayDescriptor,
  ArrayInterfaceError,
  fromProducer,
  type Protocol,
  protocols,
} from '@array-interface/core';
import { withAttribute } from './bare-dict.js';
import type { Parsed } from './literal.js';
import { reviveSyclobj } from './syclobj.js';

/** One value of the input, after parsing. */
export interface Described {
  readonly protocol: Protocol;
  readonly version: number;
  readonly array: ArrayDescriptor;
}

/**
 * Reads `{"__…_interface__": {…}}`, or only the dict in it. `bare` is the protocol of the latter,
 * if the command line names it, and chooses where there are several. Throws ArrayInterfaceError.
 */
export function describeValue(parsed: Parsed, bare?: Protocol): Described {
  if ('problem' in parsed) throw new ArrayInterfaceError('ERR_TYPE', null, parsed.problem);
  const { value } = parsed;
  if (!isDict(value)) {
    const message = `expected an interface dict, got ${kindOf(value)}; write one value a line, or one list of them`;
    throw new ArrayInterfaceError('ERR_TYPE', null, message);
  }
  const producer = withAttribute(value, bare);
  const sycl = producer[protocols.sycl.attribute];
  const exposed = (Object.keys(protocols) as Protocol[]).filter((one) =>
    Object.hasOwn(producer, protocols[one].attribute),
  );
  const chosen = exposed.length > 1 ? bare : undefined;
  const array = fromProducer(
    isDict(sycl) ? { ...producer, [protocols.sycl.attribute]: revived(sycl) } : producer,
    chosen === undefined ? {} : { protocol: chosen },
  );
  const protocol = chosen ?? (exposed[0] as Protocol);
  const dict = producer[protocols[protocol].attribute] as { version: number };
  return { protocol, version: dict.version, array };
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
