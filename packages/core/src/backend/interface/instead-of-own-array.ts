import { isArrayDescriptor } from '../../descriptor/descriptor.js';
import { show } from '../../errors/show.js';
import { withFallback } from '../../errors/with-fallback.js';
import { ATTRIBUTES, type Attributed } from '../../input/attributes.js';
import { type Advice, type Instead, insteadOfArray } from '../../input/instead-of-array.js';
import { memoryOf } from './memory.js';
import { arrayProducer } from './producer.js';

/** The calls of the backend of that name that make an array of what was given. */
export class BackendAdvice implements Advice {
  readonly #backend: string;

  constructor(backend: string) {
    this.#backend = backend;
  }

  get list(): string {
    return this.#make('list');
  }

  get memory(): string {
    return this.#make('data');
  }

  get parts(): string {
    return this.#make('object.data, { shape: object.shape }');
  }

  get number(): string {
    return this.#make('value');
  }

  strided(view: string): string {
    return `view it with ${view}${this.#backend === 'host' ? '' : this.#copied}`;
  }

  producer(exposed: Attributed): string {
    return `borrow it with ${exposed}.asArray(object)${this.#copied}`;
  }

  dict(kind: Attributed): string {
    const protocol = kind === 'host' && this.#backend === 'cuda' ? 'cuda' : kind;
    return `pass the object that it describes, or { ${ATTRIBUTES[protocol]}: dict }`;
  }

  #make(given: string): string {
    return `make an array of it with await ${this.#backend}.array(${given})`;
  }

  get #copied(): string {
    return `, and copy that with await ${this.#backend}.array()`;
  }
}

/**
 * `insteadOfArray` for functions that take arrays of their own backend only: a descriptor, an array
 * of another backend, or another language's object is none of them either.
 */
export function insteadOfOwnArray(value: unknown, backend: string): Instead {
  const memory = memoryOf(value);
  if (memory !== null) {
    const got = `an array of the ${memory.backend.name} backend`;
    return { got, cure: `copy it with await ${backend}.array(array)` };
  }
  if (isArrayDescriptor(value)) {
    const cure = `make an array of it with ${backend}.asArray(descriptor)`;
    return { got: 'a descriptor', cure };
  }
  if (withFallback(() => arrayProducer in (value as object), false)) {
    const cure = `make an array of it with ${backend}.asArray(object)`;
    return { got: "another language's object", cure };
  }
  return insteadOfArray(value, new BackendAdvice(backend)) ?? { got: show(value) };
}
