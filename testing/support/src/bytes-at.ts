/** The fields of a ticket that locate its elements. */
export interface Laid {
  readonly shape: readonly number[];
  readonly byteStrides: readonly number[];
  readonly offset: number;
  readonly typestr: string;
}

/**
 * Returns the bytes of a ticket's elements in C order, in hex. Finds them in the memory only by the
 * ticket's own numbers.
 */
export function bytesAt({ shape, byteStrides, offset, typestr }: Laid, memory: Uint8Array): string {
  const width = Number(/\d+/.exec(typestr)?.[0]) * (typestr[1] === 'U' ? 4 : 1);
  let starts = [offset];
  for (const [axis, length] of shape.entries()) {
    const steps = Array.from({ length }, (_, index) => index * (byteStrides[axis] as number));
    starts = starts.flatMap((start) => steps.map((step) => start + step));
  }
  const elements = starts.map((start) => memory.subarray(start, start + width));
  return Buffer.concat(elements).toString('hex');
}
