import { BackendQueue, internals } from '@array-interface/core/backend';
import { libcuda } from '../find-driver.js';
import { ownStream, Stream } from './stream.js';
import { type StreamProducer, streamHandle } from './stream-handle.js';

/** Objects that foreign streams were read from. They live as long as the streams. */
const producers = new WeakMap<Stream, unknown>();

/** The handle of the legacy default stream. */
const LEGACY = 1n;

/** Makes and finds the streams of one backend. */
export class Streams {
  /** One stream for each device, for work that names none. */
  readonly #defaults = new Map<number, Stream>();
  readonly #legacies = new Map<number, Stream>();

  /** A new stream of ours. */
  create(device: number, nonBlocking = true, priority = 0): Stream {
    return new Stream(libcuda().createStream(device, nonBlocking, priority));
  }

  /** The device's stream for work that names none. It is never destroyed. */
  defaultOf(device: number): Stream {
    const known = this.#defaults.get(device);
    if (known !== undefined) return known;
    const made = this.create(device);
    this.#defaults.set(device, made);
    return made;
  }

  /** The device's legacy default stream. It is never destroyed. */
  legacyOf(device: number): Stream {
    const known = this.#legacies.get(device);
    if (known !== undefined) return known;
    const made = this.named(LEGACY, device);
    this.#legacies.set(device, made);
    return made;
  }

  /** See `CudaBackend.stream`. The device exists. */
  named(named: bigint | StreamProducer, device: number): Stream {
    const stream = new Stream(libcuda().nameStream(streamHandle(named), device));
    if (typeof named !== 'bigint') producers.set(stream, named);
    return stream;
  }

  /** Does `work` with a stream, ours or one that a handle names for this call alone. */
  use<T>(
    named: BackendQueue | bigint | StreamProducer,
    device: number,
    work: (stream: Stream) => T,
  ): T {
    if (BackendQueue.is(named)) {
      internals(named).assertLive();
      return work(ownStream(named));
    }
    using stream = this.named(named, device);
    return work(stream);
  }
}
