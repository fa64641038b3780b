/** Bytes that arrive in chunks of any size, and are returned in pieces of the requested size. */
export class ByteStream {
  #chunks;
  #rest = new Uint8Array(0);

  /** `chunks` is any asynchronous iterable of bytes. */
  constructor(chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /**
   * Yields the next `total` bytes in pieces of at most `most`, each with its position. A piece is
   * valid until the next.
   */
  async *take(total, most) {
    const piece = new Uint8Array(Math.min(most, total));
    for (let start = 0; start < total; start += most) {
      const bytes = piece.subarray(0, Math.min(most, total - start));
      await this.#fill(bytes);
      yield { start, bytes };
    }
  }

  async #fill(bytes) {
    for (let filled = 0; filled < bytes.length; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done === true) throw new Error('expected more bytes, got the end of them');
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, bytes.length - filled);
      bytes.set(part, filled);
      filled += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
  }
}
