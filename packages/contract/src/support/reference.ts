/** The layout of elements in a block of bytes, in its simplest form. */
export interface Place {
  /** The offset of the element whose indices are all zero. */
  readonly offset: number;
  readonly shape: readonly number[];
  readonly byteStrides: readonly number[];
  /** Bytes of one element. */
  readonly itemsize: number;
}

/** Converts the bytes of an element of one dtype to those of another. */
export type Convert = (bytes: Uint8Array) => Uint8Array;

/**
 * A copy, implemented independently of the product: one element at a time, with the whole source
 * read before the first byte is written. `from` broadcasts to `to`.
 */
export function referenceCopy(
  toBytes: Uint8Array,
  to: Place,
  fromBytes: Uint8Array,
  from: Place,
  convert: Convert = (bytes) => bytes,
): void {
  const { itemsize } = from;
  const source = referenceBytes(fromBytes, broadcast(from, to.shape));
  for (const [i, start] of starts(to).entries()) {
    toBytes.set(convert(source.subarray(i * itemsize, (i + 1) * itemsize)), start);
  }
}

/** The bytes of all elements in C order. */
export function referenceBytes(bytes: Uint8Array, place: Place): Uint8Array {
  const { itemsize } = place;
  const all = starts(place);
  const dense = new Uint8Array(all.length * itemsize);
  for (const [i, start] of all.entries()) {
    dense.set(bytes.subarray(start, start + itemsize), i * itemsize);
  }
  return dense;
}

/** The offset of each element, in C order. */
function starts({ offset, shape, byteStrides }: Place): number[] {
  return shape.reduce(
    (all, length, axis) =>
      all.flatMap((start) =>
        Array.from({ length }, (_, index) => start + index * (byteStrides[axis] as number)),
      ),
    [offset],
  );
}

/** NumPy's broadcasting: leading axes may be missing, an axis of length 1 repeats. */
function broadcast(place: Place, shape: readonly number[]): Place {
  const missing = shape.length - place.shape.length;
  const byteStrides = shape.map((_, axis) =>
    (place.shape[axis - missing] ?? 1) === 1 ? 0 : (place.byteStrides[axis - missing] as number),
  );
  return { ...place, shape, byteStrides };
}
