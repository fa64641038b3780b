import { isArrayDescriptor } from '../../descriptor/descriptor.js';
import { show } from '../../errors/show.js';
import { ATTRIBUTES, type Attributed } from '../../input/attributes.js';
import { type Advice, type Instead, insteadOfArray } from '../../input/instead-of-array.js';
import { memoryOf } from './memory.js';

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

  strided(strides: string): string {
    const layout = `{ shape: object.shape, elementStrides: object.${strides} }`;
    return this.#borrow(`host.asArray(object.data, ${layout})`, 'host');
  }

  producer(exposed: Attributed): string {
    return this.#borrow(`${exposed}.asArray(object)`, null);
  }

  dict(kind: Attributed): string {
    const protocol = kind === 'host' && this.#backend === 'cuda' ? 'cuda' : kind;
    return `pass the object that it describes, or { ${ATTRIBUTES[protocol]}: dict }`;
  }

  #make(given: string): string {
    return `make an array of it with await ${this.#backend}.array(${given})`;
  }

  /** `owner`: the only backend that needs no copy. Null: none. */
  #borrow(call: string, owner: string | null): string {
    const copied = `, and copy that with await ${this.#backend}.array()`;
    return `borrow it with ${call}${owner === this.#backend ? '' : copied}`;
  }
}

/**
 * `insteadOfArray` for functions that take arrays of their own backend only: a descriptor, or an
 * array of another backend, is none of them either.
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
  return insteadOfArray(value, new BackendAdvice(backend)) ?? { got: show(value) };
}
