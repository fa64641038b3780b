import { internals } from '@array-interface/core/backend';
import { libcuda } from './find-driver.js';
import { Stream } from './stream.js';
import { type StreamProducer, streamHandle } from './stream-handle.js';

/** Objects that foreign streams were read from, as long as the streams are used. */
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

  /** The stream for work on a device that names none, kept for good. */
  defaultOf(device: number): Stream {
    const known = this.#defaults.get(device);
    if (known !== undefined) return known;
    const made = this.create(device);
    this.#defaults.set(device, made);
    return made;
  }

  /** The legacy default stream of a device, kept for good. */
  legacyOf(device: number): Stream {
    const known = this.#legacies.get(device);
    if (known !== undefined) return known;
    const made = this.named(LEGACY, device);
    this.#legacies.set(device, made);
    return made;
  }

  /** See `CudaBackend.stream`; the device is there. */
  named(named: bigint | StreamProducer, device: number): Stream {
    const stream = new Stream(libcuda().nameStream(streamHandle(named), device));
    if (typeof named !== 'bigint') producers.set(stream, named);
    return stream;
  }

  /** Does something with a stream, ours or named by its handle for this alone. */
  use<T>(named: Stream | bigint | StreamProducer, device: number, work: (stream: Stream) => T): T {
    if (named instanceof Stream) {
      internals(named).assertLive();
      return work(named);
    }
    using stream = this.named(named, device);
    return work(stream);
  }
}
