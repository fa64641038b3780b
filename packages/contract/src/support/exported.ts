import {
  type ArrayDescriptor,
  type Backend,
  type BackendArray,
  fromProducer,
  type Producer,
  protocols,
  toArrayInterface,
} from '@array-interface/core';

/** An array's dict under its attribute's name, as a foreign producer would export it. */
export interface Exported {
  readonly attribute: string;
  readonly dict: Readonly<Record<string, unknown>>;
  /** The address that the dict names. */
  readonly pointer: bigint;
  /** The same dict with some keys changed, as an object that has no other interface. */
  producer(changes?: Readonly<Record<string, unknown>>): Producer;
}

/** Reads the array's attribute, once. */
export function exported(array: BackendArray): Exported {
  const { protocol } = array.backend;
  const { attribute } =
    typeof protocol === 'string' ? protocols[protocol] : (protocol ?? protocols.host);
  const own = (array as unknown as Record<string, object>)[attribute];
  // A backend without a protocol takes dicts of those that core knows.
  const dict = (own ?? toArrayInterface(array.descriptor)) as Record<string, unknown>;
  return {
    attribute,
    dict,
    pointer: (dict.data as readonly [bigint, boolean])[0],
    producer: (changes = {}) => ({ [attribute]: { ...dict, ...changes } }) as unknown as Producer,
  };
}

/** What a producer claims, by the backend's own protocol if that is not one that core knows. */
export function readProducer({ protocol }: Backend, producer: Producer): ArrayDescriptor {
  const isOwn = typeof protocol === 'object' && protocol !== null;
  return fromProducer(producer, isOwn ? { protocol } : {});
}
