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
  /** Null: no work is pending, and nobody waits for ours. */
  readonly stream: StreamHandle | null;
  /** Gives back what was taken with it. */
  end(): void;
}

/** What a dict of the stranger says. */
export interface Given {
  readonly pointer: bigint;
  readonly length: number;
  /** Bytes from one element to the next; default 1. */
  readonly stride?: number;
  /** Null: it says none. */
  readonly stream: StreamHandle | null;
  readonly version: number;
}

/** Another library in this process, which knows nothing of ours but dicts: raw calls. Each throws. */
export interface Stranger {
  /** Streams that are always there. */
  readonly defaultStreams: ReadonlyMap<string, StreamHandle>;
  createStream(device: number): StreamHandle;
  destroyStream(stream: StreamHandle): void;
  allocate(length: number, device: number, kind: 'device' | 'host'): bigint;
  /** Nothing uses it any more. */
  free(pointer: bigint, device: number): void;
  /** Enqueues; so do the next two. */
  fill(stream: StreamHandle, pointer: bigint, value: number, length: number): void;
  copy(stream: StreamHandle, to: bigint, from: bigint, length: number): void;
  /** What `stream` gets from now on starts after all that `other` has. */
  join(stream: StreamHandle, other: StreamHandle): void;
  synchronize(stream: StreamHandle): void;
  /** Has a lazy device begin whatever it was given, by whomever, also where nobody waits for it. */
  finishAll(): void;
  /** Keeps the stream from beginning what it gets from now on, until the function is called. */
  hold(stream: StreamHandle): () => void;
  /** Memory for so many bytes that are copied there, and the look at them once they have come. */
  slot(length: number): { readonly pointer: bigint; read(): Uint8Array };
  /** Reads the dict of an array of ours. */
  take(array: object): Taken;
  /** An object with a dict. */
  give(given: Given): object;
}
