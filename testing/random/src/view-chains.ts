/** Shape, byte strides, bytes from the first array's pointer, typestr, read-only. */
type Outcome = readonly [
  shape: readonly number[],
  byteStrides: readonly number[],
  shift: number,
  typestr: string,
  readOnly: boolean,
];

/**
 * A chain of views, each of the previous one, as testing/peers/python/random_cases/random_views.py
 * writes it.
 */
export interface Chain {
  /** NumPy's interface of the first array. */
  readonly first: { readonly data: readonly [number, boolean]; readonly [key: string]: unknown };
  /** The name of a view in core, its arguments besides the array, and NumPy's result. */
  readonly views: readonly (readonly [
    name: string,
    parameters: readonly unknown[],
    outcome: Outcome | string,
  ])[];
}

interface Described {
  readonly pointer: bigint;
  readonly shape: readonly number[];
  readonly byteStrides: readonly number[];
  readonly dtype: { readonly typestr: string };
  readonly readOnly: boolean;
}

/** Core's functions, some of which a chain names. */
interface Library {
  readonly fromArrayInterface: (dict: object) => Described;
  // biome-ignore lint/suspicious/noExplicitAny: what a function is called with is in the chain
  readonly [name: string]: (...parameters: any[]) => any;
}

/** One view of a chain, as NumPy and core return it. */
export interface Comparison {
  readonly view: string;
  readonly numpy: unknown;
  readonly core: unknown;
}

/**
 * Makes the views of a chain with core's functions. A refusal is represented by its code, and the
 * chain continues from the previous view. Meaningless values (strides of axes of length 1, and all
 * strides of an array without elements) are null.
 */
export function replay(core: object, { first, views }: Chain): Comparison[] {
  const library = core as Library;
  let array = library.fromArrayInterface(first);
  return views.map(([name, parameters, outcome]) => {
    const view = `${name}(${JSON.stringify([array.shape, array.byteStrides, ...parameters])})`;
    const numpy = typeof outcome === 'string' ? outcome : meant(...outcome);
    const make = library[name];
    if (make === undefined) throw new Error(`core has no function ${name}`);
    try {
      const made = make(array, ...parameters.map((value) => argument(library, name, value)));
      array = Array.isArray(made) ? made[0] : made;
    } catch (error) {
      return { view, numpy, core: (error as { code?: string }).code ?? error };
    }
    const { shape, byteStrides, pointer, dtype, readOnly } = array;
    const shift = Number(pointer - BigInt(first.data[0]));
    return { view, numpy, core: meant(shape, byteStrides, shift, dtype.typestr, readOnly) };
  });
}

/**
 * Returns an argument as core expects it: a shape becomes an array to broadcast with, typestr and
 * descr a record.
 */
function argument(library: Library, name: string, value: unknown): unknown {
  const array = { version: 3, shape: [0], typestr: '|u1', data: [4096, false] };
  if (name === 'broadcastArrays') return library.fromArrayInterface({ ...array, shape: value });
  if (name !== 'view' || typeof value === 'string') return value;
  return library.fromArrayInterface({ ...array, ...(value as object) }).dtype;
}

function meant(...[shape, strides, shift, typestr, readOnly]: Outcome): object {
  const empty = shape.includes(0);
  return {
    shape,
    byteStrides: strides.map((stride, axis) => (empty || shape[axis] === 1 ? null : stride)),
    shift: empty ? null : shift,
    typestr,
    readOnly,
  };
}
