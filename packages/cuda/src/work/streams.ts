import { BackendQueue, internals } from '@array-interface/core/backend';
import { libcuda } from '../find-driver.js';
import { ownStream, Stream } from './stream.js';
import { type StreamProducer, streamHandle } from './stream-handle.js';

/** Objects from which foreign streams were read. They live as long as the streams. */
const producers = new WeakMap<Stream, unknown>();

/** The handle of the legacy default stream. */
const LEGACY = 1n;

/** One stream per device, for work that names none. */
const defaults = new Map<number, Stream>();
const legacies = new Map<number, Stream>();

/** Creates a stream. */
export function createStream(device: number, nonBlocking = true, priority = 0): Stream {
  return new Stream(libcuda().createQueue(device, nonBlocking, priority));
}

/** Returns the device's stream for work that names none. It is never destroyed. */
export function defaultStreamOf(device: number): Stream {
  return defaults.get(device) ?? keep(defaults, device, createStream(device));
}

/** Returns the device's legacy default stream. It is never destroyed. */
export function legacyStreamOf(device: number): Stream {
  return legacies.get(device) ?? keep(legacies, device, streamNamed(LEGACY, device));
}

/** Implements `CudaBackend.stream`. The device must exist. */
export function streamNamed(named: bigint | StreamProducer, device: number): Stream {
  const stream = new Stream(libcuda().adoptQueue(streamHandle(named), device));
  if (typeof named !== 'bigint') producers.set(stream, named);
  return stream;
}

/** Calls `work` with a stream: the given one, or one that is wrapped for this call only. */
export function useStream<T>(
  named: BackendQueue | bigint | StreamProducer,
  device: number,
  work: (stream: Stream) => T,
): T {
  if (BackendQueue.is(named)) {
    internals(named).assertLive();
    return work(ownStream(named));
  }
  using stream = streamNamed(named, device);
  return work(stream);
}

function keep(streams: Map<number, Stream>, device: number, stream: Stream): Stream {
  streams.set(device, stream);
  return stream;
}
