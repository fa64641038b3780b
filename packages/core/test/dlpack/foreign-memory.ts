/** Memory that C would have: pieces at addresses, read as an FFI library reads it. */
export class ForeignMemory {
  readonly #pieces: readonly (readonly [address: bigint, bytes: Uint8Array])[];
  /** Bytes that were requested. */
  asked = 0;

  constructor(...pieces: readonly (readonly [address: bigint, bytes: Uint8Array])[]) {
    this.#pieces = pieces;
  }

  /** The bytes that are there, which may be fewer or none. */
  readonly read = (address: bigint, byteLength: number): Uint8Array => {
    this.asked += byteLength;
    for (const [start, bytes] of this.#pieces) {
      const offset = Number(address - start);
      if (offset < 0 || offset >= bytes.length) continue;
      return bytes.subarray(offset, offset + byteLength);
    }
    return new Uint8Array(0);
  };
}

/** Bytes from hexadecimal digits; spaces and what follows `//` say what they are. */
export function hex(text: string): Uint8Array {
  const digits = text.replaceAll(/\/\/.*|\s/g, '').match(/../g) ?? [];
  return Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16));
}
