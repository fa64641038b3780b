/** A stream of the stranger, or one that was named to it. */
export interface StreamHandle {
  readonly handle: bigint;
  readonly device: number;
}

/** What a dict of ours says, as the stranger reads it. */
export interface Taken {
  readonly pointer: bigint;
  readonly length: number;
  /** Bytes from one element to the next. */
  readonly stride: number;
  /** Null: no work is pending, and nobody waits for the stranger's. */
  readonly stream: StreamHandle | null;
  /** Gives back what the stranger took with the dict. */
  end(): void;
}

/** What a dict of the stranger says. */
export interface Given {
  readonly pointer: bigint;
  readonly length: number;
  /** Bytes from one element to the next; default 1. */
  readonly stride?: number;
  /** Null: the dict names no stream. */
  readonly stream: StreamHandle | null;
  readonly version: number;
}

/**
 * Another library in this process, which knows nothing of ours but dicts. It makes raw calls. Each
 * throws.
 */
export interface Stranger {
  /** Streams that are always there. */
  readonly defaultStreams: ReadonlyMap<string, StreamHandle>;
  createStream(device: number): StreamHandle;
  destroyStream(stream: StreamHandle): void;
  allocate(length: number, device: number, kind: 'device' | 'host'): bigint;
  /** Frees memory that nothing uses any more. */
  free(pointer: bigint, device: number): void;
  /** Enqueues a fill and does not wait, as `copy` and `join` do. */
  fill(stream: StreamHandle, pointer: bigint, value: number, length: number): void;
  copy(stream: StreamHandle, to: bigint, from: bigint, length: number): void;
  /** Makes work that `stream` gets from now on start after all that `other` has. */
  join(stream: StreamHandle, other: StreamHandle): void;
  synchronize(stream: StreamHandle): void;
  /**
   * Makes a lazy device begin all its work, whoever enqueued it, also where nobody waits for it.
   */
  finishAll(): void;
  /**
   * Keeps the stream from beginning work that it gets from now on, until the function is called.
   */
  hold(stream: StreamHandle): () => void;
  /** Memory for bytes that are copied there, and a function that reads them once they have come. */
  slot(length: number): { readonly pointer: bigint; read(): Uint8Array };
  /** Reads the dict of an array of ours. */
  take(array: object): Taken;
  /** An object with a dict. */
  give(given: Given): object;
}
