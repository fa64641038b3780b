import { mismatch } from '../../errors/mismatch.js';
import { show } from '../../errors/show.js';
import { withFallback } from '../../errors/with-fallback.js';
import { asked } from '../../input/dict.js';
import type { BackendProtocol, Protocol } from '../../protocols/protocol.js';

/** The name of the method that a proxy implements: `Symbol.for('array-interface.producer')`. */
export const arrayProducer: unique symbol = Symbol.for('array-interface.producer') as never;

/** An object that represents another language's object, such as a proxy of a Python array. */
export interface ArrayProxy {
  /**
   * Returns the object that the backend of this protocol reads instead of the proxy: one with
   * exactly one of the three attributes. Null if there is none; the proxy itself is then read. A
   * backend with another protocol asks for `host`.
   *
   * A borrowed array keeps the returned object, not the proxy, so it must keep the other language's
   * object alive. An `ArrayInterfaceError` that the method throws reaches the caller. Any other
   * exception becomes the cause of ERR_NO_INTERFACE.
   */
  [arrayProducer](protocol: Protocol): object | null;
}

const PATH = "[Symbol.for('array-interface.producer')]";

/**
 * Returns the object to be read instead of `source`: what its method returns, or `source` itself.
 * The method is called once and not called again on its result. Throws ERR_NO_INTERFACE if the
 * method throws or returns anything else, and rethrows an `ArrayInterfaceError`.
 */
export function resolveProxy<T>(source: T, protocol: BackendProtocol): T {
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null) {
    return source;
  }
  const give = withFallback(() => (source as Partial<ArrayProxy>)[arrayProducer], undefined);
  if (typeof give !== 'function') return source;
  const known = typeof protocol === 'string' ? protocol : 'host';
  const given: unknown = asked('ERR_NO_INTERFACE', PATH, () => give.call(source, known));
  if (given === null) return source;
  if (typeof given === 'object' || typeof given === 'function') return given as T;
  throw mismatch(
    'ERR_NO_INTERFACE',
    PATH,
    'an object with an array interface, or null, from this method',
    show(given),
    'have it return the object to read instead',
  );
}
