import type { Event } from '@array-interface/core/backend';
import type { NativeStream } from './addon.js';
import { type LastWork, Stream } from './stream.js';

/** So many points of ended streams are kept before somebody looks which have been reached. */
const TAILS = 64;

/** The streams that a backend made or was named, so that all work on them can be waited for. */
export class Streams {
  readonly #live = new Map<WeakRef<Stream>, LastWork>();
  /** The last points of streams that ended with work on them. */
  #tails: Event[] = [];

  add(native: NativeStream): Stream {
    const work: LastWork = { last: null };
    const stream = new Stream(native, work, () => this.#end(reference));
    const reference = new WeakRef(stream);
    this.#live.set(reference, work);
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
