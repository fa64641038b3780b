import type { Event } from '@array-interface/core/backend';
import type { NativeStream } from './addon.js';
import { Stream } from './stream.js';

/** So many points of ended streams are kept before somebody looks which have been reached. */
const TAILS = 64;

/** The streams that a backend made or was named, so that all work on them can be waited for. */
export class Streams {
  readonly #live = new Set<WeakRef<Stream>>();
  /** The last points of streams that ended with work on them. */
  #tails: Event[] = [];

  add(native: NativeStream): Stream {
    const stream = new Stream(native, (ended) => this.#end(ended, reference));
    const reference = new WeakRef(stream);
    this.#live.add(reference);
    return stream;
  }

  /** The point after our last work on each stream. Touches no stream: a foreign one may be gone. */
  points(): readonly Event[] {
    const points: Event[] = [];
    for (const reference of this.#live) {
      const stream = reference.deref();
      if (stream === undefined) this.#live.delete(reference);
      else if (stream.last !== null) points.push(stream.last);
    }
    return [...points, ...this.#tails];
  }

  /** Drops the points that have been reached; called when somebody waited for them. */
  forgetReached(): void {
    this.#tails = this.#tails.filter(isPending);
  }

  #end(stream: Stream, reference: WeakRef<Stream>): void {
    this.#live.delete(reference);
    if (stream.last !== null) this.#tails.push(stream.last);
    if (this.#tails.length >= TAILS) this.forgetReached();
  }
}

/** A failed one has ended, too; whoever waits for the array itself hears of it. */
function isPending(event: Event): boolean {
  try {
    return !event.query();
  } catch {
    return false;
  }
}
