import { mismatch } from '../../errors/mismatch.js';
import { show } from '../../errors/show.js';
import { tryOr } from '../../errors/try-or.js';
import { asked } from '../../input/dict.js';
import type { Protocol } from '../../protocols/protocol.js';

/** The name of the method of proxies: `Symbol.for('array-interface.producer')`. */
export const arrayProducer: unique symbol = Symbol.for('array-interface.producer') as never;

/** An object that stands for another language's object, as a proxy of a Python array does. */
export interface ArrayProxy {
  /**
   * The object to be read in its place, by the backend of this protocol: one with exactly one of the
   * three attributes. It is what a borrowed array keeps, so it holds the other language's object: the
   * proxy may go before. Null: there is none, and the proxy is read itself. An
   * `ArrayInterfaceError` that it throws is the caller's, another exception the cause of one with
   * ERR_NO_INTERFACE.
   */
  [arrayProducer](protocol: Protocol): object | null;
}

const PATH = "[Symbol.for('array-interface.producer')]";

/**
 * What is to be read in the place of `source`: what its method gives, or `source` itself. It is asked
 * once, and what it gives is not asked again. Throws ERR_NO_INTERFACE where the method throws or gives
 * something else, and errors of ours that it throws.
 */
export function resolveProxy<T>(source: T, protocol: Protocol): T {
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null) {
    return source;
  }
  const give = tryOr(() => (source as Partial<ArrayProxy>)[arrayProducer], undefined);
  if (typeof give !== 'function') return source;
  const given: unknown = asked('ERR_NO_INTERFACE', PATH, () => give.call(source, protocol));
  if (given === null) return source;
  if (typeof given === 'object' || typeof given === 'function') return given as T;
  throw mismatch(
    'ERR_NO_INTERFACE',
    PATH,
    'an object with an array interface, or null, from this method',
    show(given),
    'let it return the object to be read in its place',
  );
}
