/** The values that are expected somewhere; -1: never written. */
export type Values = readonly number[];

/**
 * The queue of this library's work: a queue of the program, or a stranger's stream that is named
 * for this one call.
 */
export type On = { readonly queue: string } | { readonly stream: string };

/** What the stranger does with arrays that it received. `with` is its own memory. */
export type Use =
  | { readonly use: 'fill'; readonly array: string; readonly value: number }
  | { readonly use: 'read'; readonly array: string; readonly expected: Values }
  | { readonly use: 'copy'; readonly to: string; readonly from: string };

/** How the stranger makes other work wait for its own. */
export type After = 'stream' | 'recordUse' | 'host';

/** Indices or a mask: a list, or an array by its name. */
export type Listed<T> = readonly T[] | string;

/** One step of a program, by the names of its operands. Each is printed as a line. */
export type Step =
  // this library's
  | {
      readonly do: 'empty';
      readonly array: string;
      readonly length: number;
      readonly queue: string | null;
      readonly device: number;
      readonly kind: 'device' | 'host' | 'shared';
      readonly pool: string | null;
      readonly exportStream: 'wait' | 'block';
    }
  | {
      readonly do: 'array';
      readonly array: string;
      readonly from: string;
      readonly queue: string | null;
    }
  | {
      readonly do: 'view';
      readonly array: string;
      readonly of: string;
      readonly range: readonly [start: number, stop: number, step: number];
      readonly flipped: boolean;
    }
  | {
      readonly do: 'fill';
      readonly array: string;
      readonly value: number;
      readonly on: On | null;
    }
  | {
      readonly do: 'copy';
      readonly to: string;
      readonly from: string;
      readonly length: number;
      readonly on: On | null;
    }
  | {
      readonly do: 'upload';
      readonly array: string;
      readonly values: readonly number[];
      readonly on: On | null;
    }
  | {
      readonly do: 'full';
      readonly array: string;
      readonly length: number;
      readonly value: number;
      /** An array that the new one is like. Null: it has that length, where the queue works. */
      readonly of: string | null;
      readonly queue: string | null;
    }
  | {
      readonly do: 'take';
      readonly array: string;
      readonly from: string;
      readonly indices: Listed<number>;
      readonly queue: string | null;
    }
  | {
      readonly do: 'put';
      readonly to: string;
      readonly indices: Listed<number>;
      /** The first `length` elements of an array, one for each index. */
      readonly from: string;
      readonly length: number;
      readonly on: On | null;
    }
  | {
      readonly do: 'where';
      readonly array: string;
      readonly mask: Listed<boolean>;
      readonly from: string;
      readonly other: string;
      readonly length: number;
      readonly queue: string | null;
    }
  | {
      readonly do: 'read';
      readonly array: string;
      readonly on: On | null;
      readonly expected: Values;
      readonly isAwaited: boolean;
    }
  | {
      readonly do: 'loan';
      readonly array: string;
      readonly of: string;
      readonly through: 'array' | 'dict';
    }
  | {
      readonly do: 'borrow';
      readonly array: string;
      readonly memory: string;
      readonly range: readonly [start: number, stop: number];
      /**
       * What the dict contains: a stream; none, in version 3; none, in version 2; the same, and it
       * is told.
       */
      readonly says: 'stream' | 'nothing' | 'nothing, version 2' | 'producerStream';
      readonly sync: 'wait' | 'block';
    }
  | { readonly do: 'look'; readonly array: string }
  /** Reports work that is already ordered, so that it needs no order. */
  | { readonly do: 'recordUse'; readonly array: string; readonly stream: string }
  | { readonly do: 'end'; readonly array: string; readonly stream: string | null }
  | { readonly do: 'drop'; readonly array: string; readonly isCollected: boolean }
  | { readonly do: 'synchronize'; readonly array: string }
  | {
      readonly do: 'createQueue';
      readonly queue: string;
      readonly device: number;
      readonly isPlain: boolean;
    }
  | {
      readonly do: 'wrapStream';
      readonly queue: string;
      readonly stream: string;
    }
  | { readonly do: 'endQueue'; readonly queue: string }
  | { readonly do: 'createPool'; readonly pool: string; readonly device: number }
  | { readonly do: 'endPool'; readonly pool: string }
  | { readonly do: 'releaseCached' }
  | { readonly do: 'idle' }
  | { readonly do: 'turn'; readonly milliseconds: number }
  // the stranger's
  | { readonly do: 'createStream'; readonly stream: string; readonly device: number }
  | { readonly do: 'destroyStream'; readonly stream: string }
  | { readonly do: 'hold'; readonly stream: string }
  | { readonly do: 'letGo' }
  | {
      readonly do: 'allocate';
      readonly memory: string;
      readonly length: number;
      readonly device: number;
      readonly kind: 'device' | 'host';
      readonly stream: string;
    }
  | { readonly do: 'free'; readonly memory: string }
  | { readonly do: 'move'; readonly memory: string; readonly stream: string }
  | {
      readonly do: 'strangerFills';
      readonly memory: string;
      readonly range: readonly [start: number, stop: number];
      readonly value: number;
      readonly stream: string;
    }
  | {
      readonly do: 'strangerCopies';
      readonly to: string;
      readonly from: string;
      readonly length: number;
      readonly stream: string;
    }
  | {
      readonly do: 'strangerReads';
      readonly memory: string;
      readonly stream: string;
      readonly expected: Values;
    }
  | {
      readonly do: 'use';
      /** The name under which the stranger keeps the dicts. */
      readonly dicts: string;
      readonly arrays: readonly string[];
      readonly memories: readonly string[];
      readonly uses: readonly Use[];
      /** Null: the stream that the first dict names. */
      readonly stream: string | null;
      readonly after: After;
    }
  | {
      readonly do: 'useAgain';
      readonly dicts: string;
      readonly uses: readonly Use[];
      readonly stream: string;
    }
  | {
      readonly do: 'relay';
      readonly array: string;
      readonly of: string;
      readonly stream: string;
    }
  | { readonly do: 'relayFills'; readonly array: string; readonly value: number }
  | { readonly do: 'relayReads'; readonly array: string; readonly expected: Values }
  | { readonly do: 'endRelay'; readonly array: string }
  /** All enqueued work ends, everything that was read is compared, and the stranger ends. */
  | { readonly do: 'finish' };

/** A step of one kind. */
export type StepOf<K extends Step['do']> = Extract<Step, { readonly do: K }>;
