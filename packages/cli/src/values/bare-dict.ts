import { ArrayInterfaceError, type Protocol, protocols } from '@array-interface/core';

/** How the command line names each protocol. */
export const PROTOCOL_NAMES: ReadonlyMap<string, Protocol> = new Map<string, Protocol>([
  ['cuda', 'cuda'],
  ['sycl', 'sycl'],
  ['host', 'host'],
  ['numpy', 'host'],
]);

/**
 * Puts its attribute around an interface dict that has none, as `print(x.__array_interface__)`
 * shows one. `protocol` decides which; otherwise the dict must show it. Returns everything else as
 * it is. Throws ERR_NO_INTERFACE.
 */
export function withAttribute(
  value: Readonly<Record<string, unknown>>,
  protocol?: Protocol,
): Readonly<Record<string, unknown>> {
  if (Object.values(protocols).some(({ attribute }) => Object.hasOwn(value, attribute))) {
    return value;
  }
  if (protocol !== undefined) return { [protocols[protocol].attribute]: value };
  if (!Object.hasOwn(value, 'shape') && !Object.hasOwn(value, 'typestr')) return value;
  return { [protocols[shownBy(value)].attribute]: value };
}

/** The protocol that alone has such a dict. */
function shownBy(dict: Readonly<Record<string, unknown>>): Protocol {
  const candidates = candidatesOf(dict);
  if (candidates.length === 1) return candidates[0] as Protocol;
  throw new ArrayInterfaceError(
    'ERR_NO_INTERFACE',
    null,
    `expected a dict with its attribute around it, or one that only one protocol has, got one that may be of ${candidates.join(' or ')}; ` +
      `add ${candidates.map((one) => `--protocol ${one}`).join(' or ')}`,
  );
}

/** The protocols that have such a dict, or have one if a key was left out by mistake. */
function candidatesOf(dict: Readonly<Record<string, unknown>>): readonly Protocol[] {
  const hasQueue = Object.hasOwn(dict, 'syclobj');
  const hasStream = Object.hasOwn(dict, 'stream');
  if (hasQueue && !hasStream) return ['sycl'];
  if (hasStream && !hasQueue) return ['cuda'];
  if (dict.version === 0 || dict.version === 2) return ['cuda'];
  if (dict.version === 1) return ['cuda', 'sycl'];
  if (dict.version === 3) return ['cuda', 'host'];
  return ['cuda', 'sycl', 'host'];
}
