import { type BackendArray, type Producer, protocols } from '@array-interface/core';

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
  const attribute = protocols[array.backend.protocol].attribute;
  const dict = (array as unknown as Record<string, object>)[attribute] as Record<string, unknown>;
  return {
    attribute,
    dict,
    pointer: (dict.data as readonly [bigint, boolean])[0],
    producer: (changes = {}) => ({ [attribute]: { ...dict, ...changes } }) as unknown as Producer,
  };
}
