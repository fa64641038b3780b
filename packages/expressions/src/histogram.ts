import type {
  ArrayDescriptor,
  ArrayLike,
  Backend,
  BackendArray,
  BackendQueue,
  DTypeName,
  OwnedArray,
} from '@array-interface/core';
import {
  type Checks,
  checkFlag,
  checkSignal,
  checkThat,
  readOptions,
  replace,
  unchecked,
} from '@array-interface/core/backend';
import { requestWork, type Work } from './launch/call.js';
import { fault, readOperands, typeNameOf } from './launch/operands.js';
import { kindOf } from './meaning/term.js';
import { requestText } from './stages/request.js';
import { max, min } from './standard.js';

/** Where work is enqueued. */
export interface CountOptions {
  /** The queue for the work and for new arrays. Default: the backend's own. */
  readonly queue?: BackendQueue;
  /** Cancels work that is still pending. */
  readonly signal?: AbortSignal;
}

/** How `histogram` counts. */
export interface HistogramOptions extends CountOptions {
  /** The number of bins of one width. Default: 10. */
  readonly bins?: number;
  /** The least and the greatest edge of these bins. Default: the least and the greatest element. */
  readonly range?: readonly [low: number, high: number];
  /** The edges of bins of any widths, rising, in place of `bins` and `range`. */
  readonly edges?: ArrayLike;
  /** What each element counts, in the shape of the elements. Default: 1. */
  readonly weights?: ArrayLike;
  /** Whether counts are divided by their sum and by the widths of the bins. Default: false. */
  readonly density?: boolean;
}

/** What `histogram` makes. */
export interface Histogram<A extends BackendArray> {
  /** What each bin counts: int64, the dtype of a sum of weights, or of a density. */
  readonly counts: OwnedArray<A>;
  /** The edges of the bins, one more than they. */
  readonly edges: OwnedArray<A>;
}

/** How `bincount` counts. */
export interface BincountOptions extends CountOptions {
  /** The number of results; greater elements are not counted. Default: the greatest element and 1. */
  readonly length?: number;
  /** What each element counts, in the shape of the elements. Default: 1. */
  readonly weights?: ArrayLike;
}

/** How `searchsorted` finds places. */
export interface SearchOptions extends CountOptions {
  /** Whether the place is before or behind equal elements. Default: `left`. */
  readonly side?: 'left' | 'right';
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isRange = (value: unknown) =>
  Array.isArray(value) &&
  value.length === 2 &&
  value.every(Number.isFinite) &&
  value[0] <= value[1];
const PLACES: Checks<CountOptions> = { queue: unchecked, signal: checkSignal };
const HISTOGRAM: Checks<HistogramOptions> = {
  ...PLACES,
  bins: checkThat(
    (value) => isCount(value) && value !== 0,
    'a number of bins: an integer of 1 or more',
  ),
  range: checkThat(isRange, 'the least and the greatest edge'),
  edges: unchecked,
  weights: unchecked,
  density: checkFlag,
};
const BINCOUNT: Checks<BincountOptions> = {
  ...PLACES,
  length: checkThat(isCount, 'a length: an integer of 0 or more'),
  weights: unchecked,
};
const SEARCH: Checks<SearchOptions> = {
  ...PLACES,
  side: checkThat((value) => value === 'left' || value === 'right', "'left' or 'right'"),
};

/**
 * Counts the real numbers in each bin, as NumPy does: from its edge on, below the next one; the last
 * bin has both. NaN and numbers beyond the edges are in none.
 *
 * Settles with new arrays once the work is enqueued and the edges, which it waits for, are checked;
 * blocks as a launch does. Compares each element with each bin, without memory that grows with the
 * elements. Rejects with ERR_ARGUMENT for edges that fall or are NaN, for a range that is not finite
 * or too small for so many bins, and for bad options; with ERR_SHAPE_MISMATCH,
 * ERR_DTYPE_UNSUPPORTED, and what `evaluate` rejects with.
 *
 * @example
 * ```ts
 * import { histogram } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * using x = await host.array([1, 2, 2, 4], { dtype: 'float64' });
 * const { counts, edges } = await histogram(host, x, { bins: 3 });
 * console.log(await counts.toNested(), await edges.toNested()); // [ 1n, 2n, 1n ] [ 1, 2, 3, 4 ]
 * counts.dispose();
 * edges.dispose();
 * ```
 */
export async function histogram<A extends BackendArray>(
  backend: Backend<A>,
  x: ArrayLike,
  options: HistogramOptions = {},
): Promise<Histogram<A>> {
  const {
    bins,
    range,
    edges: given,
    weights,
    density = false,
    ...places
  } = readOptions(options, HISTOGRAM);
  if (given !== undefined && (bins !== undefined || range !== undefined)) {
    throw fault('ERR_ARGUMENT', 'edges', "either 'edges' or 'bins' and 'range'", 'both');
  }
  const made = await requestWork(backend, places, (work) => {
    const read = readArrays(work, { x, edges: given, weights });
    const own = read.x as ArrayDescriptor;
    assertReal(own, 'x');
    const edges =
      read.edges === undefined
        ? equalEdges(work, own, bins ?? 10, range)
        : copyOf(work, read.edges);
    const rising = requestRising(work, edges.descriptor, given === undefined);
    const counts = countIn(work, own, edges.descriptor, read.weights, density);
    return { counts, edges, rising };
  });
  const { counts, edges } = made;
  using rising = made.rising;
  try {
    if (await rising.item()) return { counts, edges };
    throw faultOfEdges([...(await backend.toTypedArray(edges))], pathOfEdges(range, given));
  } catch (error) {
    counts.dispose();
    edges.dispose();
    throw error;
  }
}

/**
 * Counts how often each number from 0 on occurs among integers that are not negative, as int64; or
 * adds up the weights of its elements.
 *
 * Without `length`, waits for the greatest element, and then reads `x` and the weights again: until
 * it settles, write neither. Settles, blocks and rejects as `histogram` does,
 * and with ERR_ARGUMENT for negative elements, unless `length` is given: then they are not counted.
 *
 * @example
 * ```ts
 * import { bincount } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * using x = await host.array([1, 3, 1], { dtype: 'int32' });
 * using counts = await bincount(host, x);
 * console.log(await counts.toNested()); // [ 0n, 2n, 0n, 1n ]
 * ```
 */
export async function bincount<A extends BackendArray>(
  backend: Backend<A>,
  x: ArrayLike,
  options: BincountOptions = {},
): Promise<OwnedArray<A>> {
  const { length: given, weights, ...places } = readOptions(options, BINCOUNT);
  const length = given ?? (await lengthOf(backend, x, places));
  return requestWork(backend, places, (work) => {
    const read = readArrays(work, { x, weights });
    const own = read.x as ArrayDescriptor;
    assertIntegers(own);
    assertCountable(own, length, given === undefined ? 'x' : 'length');
    const rows = (array: ArrayDescriptor) =>
      stretched(array, [length, ...array.shape], [0, ...array.byteStrides]);
    const text = countText('x == i0', own, read.weights);
    const values = { x: rows(own), ...(read.weights && { w: rows(read.weights) }) };
    return requestText(work, text, values) as OwnedArray<A>;
  });
}

/**
 * Finds where each element of `x` would be in a rising vector, as int64: before all that are not
 * less, or with `side: 'right'` behind all that are not greater. NaN is the greatest number.
 *
 * Compares each element with the whole vector; of one that does not rise, the result is how many of
 * its elements are less, or not greater. Settles blocks and rejects as `histogram` does.
 *
 * @example
 * ```ts
 * import { searchsorted } from '@array-interface/expressions';
 * import { host } from '@array-interface/host';
 *
 * using sorted = await host.array([1, 2, 2, 5], { dtype: 'float64' });
 * using x = await host.array([2, 9], { dtype: 'float64' });
 * using places = await searchsorted(host, sorted, x);
 * console.log(await places.toNested()); // [ 1n, 4n ]
 * ```
 */
export async function searchsorted<A extends BackendArray>(
  backend: Backend<A>,
  sorted: ArrayLike,
  x: ArrayLike,
  options: SearchOptions = {},
): Promise<OwnedArray<A>> {
  const { side = 'left', ...places } = readOptions(options, SEARCH);
  return requestWork(backend, places, (work) => {
    const read = readArrays(work, { sorted, x }) as Record<'sorted' | 'x', ArrayDescriptor>;
    assertVector(read.sorted, 'sorted');
    assertReal(read.sorted, 'sorted');
    assertReal(read.x, 'x');
    const last = read.x.ndim;
    const values = {
      s: read.sorted,
      x: stretched(read.x, [...read.x.shape, 1], [...read.x.byteStrides, 0]),
    };
    const isBefore =
      side === 'left' ? 's < x || isnan(x) && !isnan(s)' : '!(x < s || isnan(s) && !isnan(x))';
    return requestText(work, `count_nonzero(${isBefore}, axis=${last})`, values) as OwnedArray<A>;
  });
}

type Named = Readonly<Record<string, ArrayLike | undefined>>;

function readArrays<A extends BackendArray>(
  work: Work<A>,
  named: Named,
): Readonly<Record<string, ArrayDescriptor | undefined>> {
  const present = Object.fromEntries(
    Object.entries(named).filter(([, value]) => value !== undefined),
  );
  const operands = readOperands(Object.keys(present), present, (value, name) =>
    work.describe(value, name),
  );
  return Object.fromEntries(
    operands.map(({ name, array }) => {
      if (array !== null) return [name, array];
      throw fault('ERR_ARGUMENT', name, 'an array', 'a number');
    }),
  );
}

/** The edges of bins of one width, in the dtype and with the bits of NumPy's. */
function equalEdges<A extends BackendArray>(
  work: Work<A>,
  x: ArrayDescriptor,
  bins: number,
  range: HistogramOptions['range'],
): OwnedArray<A> {
  const own = typeNameOf(x.dtype, 'x');
  const type = kindOf(own) === 'float' ? own : 'float64';
  const [low, high] = x.size === 0 ? (range ?? [0, 1]) : (range ?? extremes(work, x, own));
  const step = typeof low === 'number' ? 'float64' : type;
  const made = work.make([bins + 1], type);
  requestText(
    work,
    `let least = ${step}(low); let most = ${step}(high)
    let first = least == most ? least - 0.5 : least; let last = least == most ? most + 0.5 : most
    ${type}(i0 == n ? last : ${step}(i0) * ((last - first) / n) + first)`,
    { low, high, n: bins },
    made.descriptor,
  );
  return made;
}

function extremes<A extends BackendArray>(work: Work<A>, x: ArrayDescriptor, type: DTypeName) {
  return ['min', 'max'].map((name) => {
    const one = work.temporary([], type);
    requestText(work, `${name}(x)`, { x }, one);
    return one;
  });
}

function copyOf<A extends BackendArray>(work: Work<A>, edges: ArrayDescriptor): OwnedArray<A> {
  assertVector(edges, 'edges');
  assertReal(edges, 'edges');
  if (edges.size < 2)
    throw fault('ERR_SHAPE_MISMATCH', 'edges', 'two edges or more', `the shape [${edges.shape}]`);
  const made = work.make(edges.shape, typeNameOf(edges.dtype, 'edges'));
  work.copy(made.descriptor, edges);
  return made;
}

/** The lower and the upper edges of bins. */
function sidesOf(edges: ArrayDescriptor): { low: ArrayDescriptor; high: ArrayDescriptor } {
  const from = (first: number) =>
    replace(edges, {
      pointer: edges.pointer + BigInt(first * edges.itemsize),
      shape: [edges.size - 1],
      base: null,
    });
  return { low: from(0), high: from(1) };
}

/** Whether edges rise, of equal bins each of them: NaN does not. */
function requestRising<A extends BackendArray>(
  work: Work<A>,
  edges: ArrayDescriptor,
  areEqualBins: boolean,
): OwnedArray<A> {
  const text = areEqualBins ? 'all(low < high)' : 'all(low <= high)';
  return requestText(work, text, sidesOf(edges)) as OwnedArray<A>;
}

/** What the edges of bins are made of. */
function pathOfEdges(range: unknown, edges: unknown): 'x' | 'range' | 'edges' {
  if (edges !== undefined) return 'edges';
  return range === undefined ? 'x' : 'range';
}

/** What is wrong with edges that do not rise, which are made of that. */
function faultOfEdges(edges: readonly (number | bigint)[], path: ReturnType<typeof pathOfEdges>) {
  if (path === 'edges') {
    const place = edges.findIndex((edge, index) => !(edge <= (edges[index + 1] as number)));
    const got = `${edges[place]} before ${edges[place + 1]}`;
    return fault('ERR_ARGUMENT', `edges[${place}]`, 'edges that rise', got, 'sort them');
  }
  const [low, high] = [Number(edges[0]), Number(edges.at(-1))];
  const got = `edges from ${low} to ${high}`;
  if (Number.isFinite(high - low)) {
    const expected = 'bins that differ in an edge of this dtype';
    return fault('ERR_ARGUMENT', 'bins', expected, `${edges.length - 1} with ${got}`, 'have fewer');
  }
  const cure = path === 'x' ? "pass 'range' or 'edges'" : 'have a smaller one';
  return fault('ERR_ARGUMENT', path, 'a finite range', got, cure);
}

function countIn<A extends BackendArray>(
  work: Work<A>,
  x: ArrayDescriptor,
  edges: ArrayDescriptor,
  weights: ArrayDescriptor | undefined,
  density: boolean,
): OwnedArray<A> {
  const bins = edges.size - 1;
  const { low, high } = sidesOf(edges);
  const last = work.temporary([bins], 'bool');
  requestText(work, 'i0 == n', { n: bins - 1 }, last);
  const rows = (array: ArrayDescriptor) =>
    stretched(
      array,
      [bins, ...x.shape.map(() => 1)],
      [...array.byteStrides, ...x.shape.map(() => 0)],
    );
  const values = { x, low: rows(low), high: rows(high), last: rows(last) };
  const isOwn = 'low <= x && (x < high || last && x == high)';
  const counts = countText(isOwn, x, weights);
  const all = weights === undefined ? values : { ...values, w: weights };
  if (!density) return requestText(work, counts, all) as OwnedArray<A>;
  // As unsigned integers none overflows: they wrap around, and the edges rise.
  const width = edges.dtype.kind === 'f' ? 'to - from' : 'uint64(to) - uint64(from)';
  const text = `let c = ${counts}; c / float64(${width}) / sum(c)`;
  return requestText(work, text, { ...all, from: low, to: high }) as OwnedArray<A>;
}

/** The text that counts in each bin, its first axis, the elements that are its own. */
function countText(
  isOwn: string,
  x: ArrayDescriptor,
  weights: ArrayDescriptor | undefined,
): string {
  const axes = `axis=(${x.shape.map((_, axis) => axis + 1)})`;
  if (weights === undefined) return `count_nonzero(${isOwn}, ${axes})`;
  const isLike =
    weights.ndim === x.ndim && weights.shape.every((length, axis) => length === x.shape[axis]);
  if (isLike) return `sum(where(${isOwn}, w, 0), ${axes})`;
  throw fault(
    'ERR_SHAPE_MISMATCH',
    'weights',
    `the shape of the elements, [${x.shape}]`,
    `[${weights.shape}]`,
  );
}

/** The same elements in another layout. */
function stretched(
  array: ArrayDescriptor,
  shape: readonly number[],
  byteStrides: readonly number[],
): ArrayDescriptor {
  return replace(array, { shape, byteStrides: byteStrides as never, base: null });
}

/** The length that has a place for each element. */
async function lengthOf(backend: Backend, x: ArrayLike, places: CountOptions): Promise<number> {
  const size = await requestWork(backend, places, (work) => {
    const { x: own } = readArrays(work, { x });
    assertIntegers(own as ArrayDescriptor);
    return (own as ArrayDescriptor).size;
  });
  if (size === 0) return 0;
  using least = await min(backend, x, places);
  using most = await max(backend, x, places);
  const [low, high] = [await least.item(), await most.item()].map(Number) as [number, number];
  if (low >= 0) return high + 1;
  throw fault(
    'ERR_ARGUMENT',
    'x',
    'integers that are not negative',
    String(low),
    "pass 'length' to leave them out",
  );
}

function assertVector({ ndim, shape }: ArrayDescriptor, path: string): void {
  if (ndim === 1) return;
  throw fault('ERR_SHAPE_MISMATCH', path, 'an array of one axis', `the shape [${shape}]`);
}

function assertIntegers({ dtype }: ArrayDescriptor): void {
  if (kindOf(typeNameOf(dtype, 'x')) === 'integer') return;
  throw fault('ERR_DTYPE_UNSUPPORTED', 'x', 'integers', String(dtype));
}

/** Each place is compared with each element. */
function assertCountable({ size }: ArrayDescriptor, length: number, path: string): void {
  if (Number.isSafeInteger(length * size)) return;
  const got = `${length} places for ${size} elements`;
  throw fault('ERR_OVERFLOW', path, 'at most 2^53 - 1 comparisons', got, "pass a smaller 'length'");
}

function assertReal({ dtype }: ArrayDescriptor, path: string): void {
  if (kindOf(typeNameOf(dtype, path)) !== 'complex') return;
  throw fault('ERR_DTYPE_UNSUPPORTED', path, 'real numbers', String(dtype));
}
