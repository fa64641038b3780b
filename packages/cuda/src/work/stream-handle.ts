import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';

/**
 * Another library's object that names a stream. `__cuda_stream__`, or calling it, yields `[0,
 * handle]`.
 */
export interface StreamProducer {
  /** NVIDIA's stream protocol: the protocol's version and the stream's handle. */
  readonly __cuda_stream__: StreamPair | (() => StreamPair);
}

type StreamPair = readonly [version: number, handle: bigint | number];

/**
 * Returns the handle of a stream, in whichever form it is given. The handle is not checked, except
 * for 0, which could mean either default stream. Throws ERR_STREAM, ERR_VERSION, ERR_TYPE.
 */
export function streamHandle(named: bigint | StreamProducer): bigint {
  const handle = typeof named === 'bigint' ? named : handleOf(named);
  if (typeof handle !== 'bigint' || (handle > 0n && handle < 2n ** 64n)) return handle;
  throw new ArrayInterfaceError(
    'ERR_STREAM',
    'stream',
    `expected 1n, 2n or a stream's handle, got ${handle}n, which names no stream`,
  );
}

function handleOf(producer: StreamProducer): bigint {
  const pair = pairOf(producer);
  if (pair === null) {
    throw new ArrayInterfaceError(
      'ERR_TYPE',
      'stream',
      'expected a bigint or an object whose __cuda_stream__ is [0, handle], got neither',
    );
  }
  const [version, handle] = pair;
  if (version !== 0) {
    throw new ArrayInterfaceError(
      'ERR_VERSION',
      'stream.__cuda_stream__[0]',
      `expected version 0 of the stream protocol, got ${show(version)}; pass the handle itself`,
    );
  }
  if (typeof handle === 'bigint' || Number.isSafeInteger(handle)) return BigInt(handle as bigint);
  throw new ArrayInterfaceError(
    'ERR_TYPE',
    'stream.__cuda_stream__[1]',
    `expected a bigint or a safe integer, got ${show(handle)}`,
  );
}

/** Returns the version and the handle, or null if there is no such pair. */
function pairOf(producer: StreamProducer): readonly [version: unknown, handle: unknown] | null {
  try {
    const found: unknown = producer?.__cuda_stream__;
    const pair: unknown = typeof found === 'function' ? found.call(producer) : found;
    return Array.isArray(pair) && pair.length === 2 ? [pair[0], pair[1]] : null;
  } catch (cause) {
    const message = 'expected to read __cuda_stream__, got an exception; see the cause';
    throw new ArrayInterfaceError('ERR_TYPE', 'stream', message, { cause });
  }
}
