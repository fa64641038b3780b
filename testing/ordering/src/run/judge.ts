import type { Listed, Step, StepOf, Use } from '../steps/steps.js';
import { rowOf } from '../steps/world.js';
import type { Failure } from './scene.js';

/** The outcome of each step of a program, by its number. */
export interface Outcomes {
  /** Why it failed; several if it began more than one call. */
  readonly errors: ReadonlyMap<number, readonly unknown[]>;
  /** Steps that lacked what they needed because that had failed. They did nothing. */
  readonly skipped: ReadonlySet<number>;
  /** Steps in which the stranger began its work with arrays of this library. */
  readonly begun: ReadonlySet<number>;
  /** What a step read, in order. */
  readonly reads: ReadonlyMap<number, readonly (readonly number[])[]>;
}

/** The values that a byte may have; null: any. */
type Byte = ReadonlySet<number> | null;
type Memory = Byte[];

/** Elements of a memory. */
interface Place {
  readonly memory: Memory;
  readonly at: readonly number[];
}

/** Steps that create an array. */
const MAKES: ReadonlySet<Step['do']> = new Set([
  'empty',
  'array',
  'full',
  'take',
  'where',
  'view',
  'loan',
  'relay',
  'borrow',
]);

/**
 * Follows a program in which steps failed, one after another. What a failed step was to write has
 * its old or its new value, byte by byte. Everything else has the same values as if each step had
 * ended before the next began.
 */
class Follower {
  readonly #outcomes: Outcomes;
  readonly #isStrangerMisled: boolean;
  readonly #places = new Map<string, Place>();
  /** Bytes that the stranger writes at a time that nobody knows. */
  readonly #untold = new Map<Memory, ReadonlySet<number>>();
  /** How many reads of the step were checked. */
  #looks = 0;
  #step = 0;

  constructor(outcomes: Outcomes, isStrangerMisled: boolean) {
    this.#outcomes = outcomes;
    this.#isStrangerMisled = isStrangerMisled;
  }

  /** What each kind of step does to the memory, or what is wrong with what it read. */
  readonly #follows: { readonly [K in Step['do']]?: (step: StepOf<K>) => Failure | null } = {
    empty: ({ array, length }) => this.#make(array, fresh(length)),
    allocate: ({ memory, length }) => this.#make(memory, fresh(length)),
    array: ({ array, from }) => this.#make(array, whole(this.#bytes(this.#place(from)))),
    view: ({ array, of, range: [start, stop, by], flipped }) => {
      const { memory, at } = part(this.#place(of), [start, stop]);
      const seen = at.filter((_, i) => i % by === 0);
      return this.#make(array, { memory, at: flipped ? seen.reverse() : seen });
    },
    loan: ({ array, of }) => this.#make(array, this.#place(of)),
    relay: ({ array, of }) => this.#make(array, this.#place(of)),
    borrow: ({ array, memory, range }) => this.#make(array, part(this.#place(memory), range)),
    fill: ({ array, value }) => this.#fill(this.#place(array), value),
    copy: ({ to, from }) => this.#write(this.#place(to), this.#bytes(this.#place(from))),
    upload: ({ array, values }) => this.#write(this.#place(array), values.map(one)),
    read: ({ array }) => this.#read(this.#place(array)),
    full: ({ array, length, value }) =>
      this.#make(array, whole(Array.from({ length }, () => one(value)))),
    take: ({ array, from, indices }) => {
      const source = this.#bytes(this.#place(from));
      const taken = this.#rows(indices, source.length).map((rows) => any(source, rows));
      return this.#make(array, whole(taken));
    },
    put: ({ to, indices, from }) => this.#put(this.#place(to), indices, this.#place(from)),
    where: ({ array, mask, from, other, length }) => {
      const [a, b] = [from, other].map((name) => this.#bytes(this.#place(name)));
      const chosen = this.#listed(mask, (value) => one(value ? 1 : 0)).slice(0, length);
      const values = chosen.map((byte, index) =>
        choose(byte, a?.[index] ?? null, b?.[index] ?? null),
      );
      return this.#make(array, whole(values));
    },
    strangerFills: ({ memory, range, value }) =>
      this.#strangerFills(part(this.#place(memory), range), value),
    strangerCopies: ({ to, from }) => this.#strangerCopies(this.#place(to), this.#place(from)),
    strangerReads: ({ memory }) => this.#strangerReads(this.#place(memory)),
    relayFills: ({ array, value }) => this.#strangerFills(this.#place(array), value),
    relayReads: ({ array }) => this.#strangerReads(this.#place(array)),
    use: ({ uses, after }) => this.#uses(uses, after === 'recordUse' && this.#hasFailed),
    useAgain: ({ uses }) => this.#uses(uses),
  };

  /** What is wrong with what a step read; null if nothing. */
  follow(index: number, step: Step): Failure | null {
    this.#step = index;
    this.#looks = 0;
    if (this.#outcomes.skipped.has(index) || !this.#hasAll(step)) return null;
    const follow = this.#follows[step.do] as ((step: Step) => Failure | null) | undefined;
    return follow?.(step) ?? null;
  }

  /** Whether everything that a step needs exists. If not, it failed before it checked. */
  #hasAll(step: Step): boolean {
    if (!this.#hasFailed) return true;
    const keys = ['array', 'of', 'from', 'to', 'memory', 'indices', 'mask', 'other'];
    const named = keys.flatMap((key) => {
      const name: unknown = (step as unknown as Readonly<Record<string, unknown>>)[key];
      return typeof name === 'string' && !(key === 'array' && MAKES.has(step.do)) ? [name] : [];
    });
    return named.every((name) => this.#places.has(name));
  }

  get #hasFailed(): boolean {
    return this.#outcomes.errors.has(this.#step);
  }

  #place(name: string): Place {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`nothing made ${name}, and yet it was used`);
    return place;
  }

  #make(name: string, place: Place): null {
    if (!this.#hasFailed) this.#places.set(name, place);
    return null;
  }

  #bytes({ memory, at }: Place): Memory {
    return at.map((index) => memory[index] as Byte);
  }

  /** The bytes of a list, or of the array of that name. */
  #listed<T>(list: Listed<T>, byteOf: (entry: T) => Byte): Memory {
    return typeof list === 'string' ? this.#bytes(this.#place(list)) : list.map(byteOf);
  }

  /** For each index the rows that it may name. */
  #rows(indices: Listed<number>, length: number): readonly (readonly number[])[] {
    const bytes = this.#listed(indices, (index) => one(index < 0 ? index + length : index));
    const all = Array.from({ length }, (_, row) => row);
    return bytes.map((byte) =>
      byte === null ? all : [...new Set([...byte].map((index) => rowOf(index, length)))],
    );
  }

  /** Values at indices: of equal ones the last counts. */
  #put(to: Place, indices: Listed<number>, from: Place): null {
    const [result, values] = [this.#bytes(to), this.#bytes(from)];
    for (const [index, rows] of this.#rows(indices, result.length).entries()) {
      const value = values[index] as Byte;
      for (const row of rows) {
        result[row] = rows.length === 1 ? value : either(result[row] as Byte, value);
      }
    }
    return this.#write(to, result);
  }

  /** `isUntold`: `recordUse` threw, so later work may come before the stranger's. */
  #uses(uses: readonly Use[], isUntold = false): Failure | null {
    if (!this.#outcomes.begun.has(this.#step)) return null;
    for (const use of uses) {
      if (isUntold && use.use !== 'read') {
        const { memory, at } = this.#place(use.use === 'fill' ? use.array : use.to);
        const places = this.#untold.get(memory) ?? new Set();
        this.#untold.set(memory, new Set([...places, ...at]));
      }
      const failure =
        use.use === 'fill'
          ? this.#strangerFills(this.#place(use.array), use.value)
          : use.use === 'copy'
            ? this.#strangerCopies(this.#place(use.to), this.#place(use.from))
            : this.#strangerReads(this.#place(use.array));
      if (failure !== null) return failure;
    }
    return null;
  }

  #fill(to: Place, value: number, mayFail = this.#hasFailed): null {
    const values = to.at.map(() => one(value));
    return this.#write(to, values, mayFail);
  }

  #write({ memory, at }: Place, values: readonly Byte[], mayFail = this.#hasFailed): null {
    for (const [index, place] of at.slice(0, values.length).entries()) {
      const value = values[index] as Byte;
      const isUntold = this.#untold.get(memory)?.has(place) ?? false;
      const written = mayFail ? either(memory[place] as Byte, value) : value;
      memory[place] = isUntold ? null : written;
    }
    return null;
  }

  #strangerFills(to: Place, value: number): null {
    return this.#fill(to, value, this.#hasFailed || this.#isStrangerMisled);
  }

  #strangerCopies(to: Place, from: Place): null {
    return this.#write(to, this.#isStrangerMisled ? from.at.map(() => null) : this.#bytes(from));
  }

  #strangerReads(from: Place): Failure | null {
    return this.#isStrangerMisled ? null : this.#read(from);
  }

  #read(from: Place): Failure | null {
    const values = this.#outcomes.reads.get(this.#step)?.[this.#looks++];
    if (values === undefined) return null; // it failed
    const bytes = this.#bytes(from);
    const isRight = bytes.every(
      (byte, index) => byte === null || byte.has(values[index] as number),
    );
    if (isRight && values.length === bytes.length) return null;
    const read = values.map((value, index) => (bytes[index] === null ? '?' : value));
    return {
      step: this.#step,
      text: `read [${read.join(' ')}], expected [${bytes.map(words).join(' ')}]`,
    };
  }
}

function one(value: number): Byte {
  return new Set([value]);
}

function either(byte: Byte, other: Byte): Byte {
  return byte === null || other === null ? null : new Set([...byte, ...other]);
}

/** What some of the rows may have. */
function any(memory: Memory, rows: readonly number[]): Byte {
  return rows.map((row) => memory[row] as Byte).reduce(either);
}

/** `a` where the mask is not 0, else `b`. */
function choose(mask: Byte, a: Byte, b: Byte): Byte {
  if (mask === null) return either(a, b);
  if (!mask.has(0)) return a;
  return mask.size === 1 ? b : either(a, b);
}

function words(byte: Byte): string {
  return byte === null ? '?' : [...byte].join('|');
}

function whole(memory: Memory): Place {
  return { memory, at: memory.map((_, index) => index) };
}

function fresh(length: number): Place {
  return whole(Array.from({ length }, () => null));
}

function part({ memory, at }: Place, [start, stop]: readonly [number, number]): Place {
  return { memory, at: at.slice(start, stop) };
}

/**
 * Finds the first step that read an impossible value. `isStrangerMisled`: a driver runs work of one
 * device that is ordered after lost work of another, and does not report the loss. So the
 * stranger's work may not have been done, or may have read anything. This library must report it.
 */
export function judge(
  steps: readonly Step[],
  outcomes: Outcomes,
  isStrangerMisled: boolean,
): Failure | null {
  const follower = new Follower(outcomes, isStrangerMisled);
  for (const [index, step] of steps.entries()) {
    const failure = follower.follow(index, step);
    if (failure !== null) return failure;
  }
  return null;
}
