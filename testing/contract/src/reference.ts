/** Elements at places of a block of bytes, in the plainest form there is. */
export interface Place {
  /** Where the element with all-zero indices starts. */
  readonly offset: number;
  readonly shape: readonly number[];
  readonly byteStrides: readonly number[];
  /** Bytes of one element. */
  readonly itemsize: number;
}

/**
 * What a copy must do, written independently of the product: one element at a time, the whole source
 * read before the first byte is written. `from` broadcasts to `to`.
 */
export function referenceCopy(
  toBytes: Uint8Array,
  to: Place,
  fromBytes: Uint8Array,
  from: Place,
): void {
  const elements = [...indices(to.shape)].map((index) => {
    const start = from.offset + dot(sourceIndex(index, from.shape), from.byteStrides);
    return { index, bytes: fromBytes.slice(start, start + to.itemsize) };
  });
  for (const { index, bytes } of elements) {
    toBytes.set(bytes, to.offset + dot(index, to.byteStrides));
  }
}

/** The bytes of all elements in C order. */
export function referenceBytes(bytes: Uint8Array, place: Place): Uint8Array {
  const starts = [...indices(place.shape)].map(
    (index) => place.offset + dot(index, place.byteStrides),
  );
  const dense = new Uint8Array(starts.length * place.itemsize);
  for (const [i, start] of starts.entries()) {
    dense.set(bytes.subarray(start, start + place.itemsize), i * place.itemsize);
  }
  return dense;
}

/** All indices of a shape, the last axis fastest. */
function* indices(shape: readonly number[]): Generator<number[]> {
  if (shape.includes(0)) return;
  const index = shape.map(() => 0);
  while (true) {
    yield [...index];
    let axis = shape.length - 1;
    while (axis >= 0 && index[axis] === (shape[axis] as number) - 1) index[axis--] = 0;
    if (axis < 0) return;
    index[axis] = (index[axis] as number) + 1;
  }
}

/** NumPy's broadcasting: leading axes may be missing, an axis of length 1 repeats. */
function sourceIndex(index: readonly number[], shape: readonly number[]): number[] {
  const missing = index.length - shape.length;
  return shape.map((length, axis) => (length === 1 ? 0 : (index[axis + missing] as number)));
}

function dot(index: readonly number[], strides: readonly number[]): number {
  return index.reduce((sum, i, axis) => sum + i * (strides[axis] as number), 0);
}
