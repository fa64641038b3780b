import { isArrayInterfaceError } from '@array-interface/core';
import type { Event } from '@array-interface/core/backend';
import type { NativeStream } from './native.js';
import { type LastWork, Stream } from './stream.js';

/** So many points of ended streams are kept before somebody looks which have been reached. */
const TAILS = 64;

/** Objects that foreign streams were read from, as long as the streams are used. */
const producers = new WeakMap<Stream, unknown>();

/** The streams that a backend made or was named, so that all work on them can be waited for. */
export class Streams {
  readonly #live = new Map<WeakRef<Stream>, LastWork>();
  /** Ours among them, by device and handle: whoever names one by its handle keeps it alive. */
  readonly #made = new Map<string, WeakRef<Stream>>();
  /** The last points of streams that ended with work on them. */
  #tails: Event[] = [];

  /** A stream that was made for us. */
  add(native: NativeStream): Stream {
    const stream = this.#enter(native, true, () => this.#made.delete(keyOf(native)));
    this.#made.set(keyOf(native), new WeakRef(stream));
    return stream;
  }

  /** A stream that was named by its handle: its producer's, or one of ours, which is then kept. */
  borrow(native: NativeStream, producer: unknown): Stream {
    const made = this.#made.get(keyOf(native))?.deref();
    made?.retain();
    const isKept = made !== undefined || producer !== null || isDefault(native);
    const stream = this.#enter(native, isKept, () => made?.release());
    if (producer !== null) producers.set(stream, producer);
    return stream;
  }

  /** The point after our last work on each stream. Touches no stream: a foreign one may be gone. */
  points(): readonly Event[] {
    for (const reference of this.#live.keys()) {
      if (reference.deref() === undefined) this.#end(reference); // collected, never disposed
    }
    const points = [...this.#live.values()].flatMap(({ last }) => last ?? []);
    return [...points, ...this.#tails];
  }

  /** Drops the points that have been reached; called when somebody waited for them. */
  forgetReached(): void {
    this.#tails = this.#tails.filter(isPending);
  }

  #enter(native: NativeStream, isKept: boolean, ended: () => void): Stream {
    const work: LastWork = { last: null };
    const stream = new Stream(native, isKept, work, () => {
      this.#end(reference);
      ended();
    });
    const reference = new WeakRef(stream);
    this.#live.set(reference, work);
    return stream;
  }

  #end(reference: WeakRef<Stream>): void {
    const work = this.#live.get(reference);
    this.#live.delete(reference);
    if (work?.last) this.#tails.push(work.last);
    if (work !== undefined) work.last = null; // a disposed stream may be held for long
    if (this.#tails.length >= TAILS) this.forgetReached();
  }
}

/** A failed one has ended, too; whoever waits for the array itself hears of it. */
export function isPending(event: Event): boolean {
  try {
    return !event.query();
  } catch {
    return false;
  }
}

/** Whether a wait failed because its point is in a graph that is captured: nothing runs before it. */
export function isOfCapture(error: unknown): boolean {
  return (
    isArrayInterfaceError(error, 'ERR_CUDA') && error.message.includes('CUDA_ERROR_CAPTURED_EVENT')
  );
}

/** The legacy and the per-thread default stream, which are always there. */
function isDefault({ pointer }: NativeStream): boolean {
  return pointer === 1n || pointer === 2n;
}

function keyOf({ device, pointer }: NativeStream): string {
  return `${device}:${pointer}`;
}
