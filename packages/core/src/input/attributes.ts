/** An interface by the backend whose memory it describes. */
export type Attributed = 'cuda' | 'sycl' | 'host';

/** The attribute under which a producer exposes each interface. */
export const ATTRIBUTES: Readonly<Record<Attributed, string>> = {
  cuda: '__cuda_array_interface__',
  sycl: '__sycl_usm_array_interface__',
  host: '__array_interface__',
};

/**
 * Returns the interface that an object exposes, without reading it. Null: none, or its proxy
 * throws.
 */
export function exposedBy(value: object): Attributed | null {
  for (const name of ['cuda', 'sycl', 'host'] as const) {
    try {
      if (ATTRIBUTES[name] in value) return name;
    } catch {
      return null;
    }
  }
  return null;
}
