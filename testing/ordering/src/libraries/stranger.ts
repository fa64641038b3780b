/** A stream of the stranger, or one whose handle it received. */
export interface StreamHandle {
  readonly handle: bigint;
  readonly device: number;
}

/** Elements that the stranger works on. */
export interface Side {
  readonly pointer: bigint;
  readonly length: number;
  /** Bytes from one element to the next. */
  readonly stride: number;
}

/** What a dict of this library contains, as the stranger reads it. */
export interface Taken extends Side {
  /** Null: no work is pending, and nobody waits for the stranger's. */
  readonly stream: StreamHandle | null;
  /** Releases what the stranger took with the dict. */
  end(): void;
}

/** What a dict of the stranger contains. */
export interface Given extends Side {
  /** Null: the dict names no stream. */
  readonly stream: StreamHandle | null;
  readonly version: number;
}

/**
 * Another library in this process, which shares only dicts with this one. It makes raw calls. Each
 * throws on failure.
 */
export interface Stranger {
  /** Streams that always exist. */
  readonly defaultStreams: ReadonlyMap<string, StreamHandle>;
  createStream(device: number): StreamHandle;
  destroyStream(stream: StreamHandle): void;
  allocate(length: number, device: number, kind: 'device' | 'host'): bigint;
  /** Frees memory that nothing uses any more. */
  free(pointer: bigint, device: number): void;
  /** Enqueues a fill. Does not block; nor do `copy` and `join`. */
  fill(stream: StreamHandle, pointer: bigint, value: number, length: number): void;
  copy(stream: StreamHandle, to: bigint, from: bigint, length: number): void;
  /** Makes work that `stream` gets from now on start after all that `other` has. */
  join(stream: StreamHandle, other: StreamHandle): void;
  synchronize(stream: StreamHandle): void;
  /** Makes a lazy device begin all its work, whoever enqueued it, even if nobody waits for it. */
  finishAll(): void;
  /**
   * Keeps the stream from beginning work that it gets from now on, until the function is called.
   */
  hold(stream: StreamHandle): () => void;
  /** Memory that bytes are copied to, and a function that reads them once they have arrived. */
  slot(length: number): { readonly pointer: bigint; read(): Uint8Array };
  /** Reads the dict of an array of this library. */
  take(array: object): Taken;
  /** An object with a dict. */
  give(given: Given): object;
}
