import { withFallback } from './with-fallback.js';

/** Maximum number of frames of these packages above the caller's. */
const INNER = 64;

/** A file of an installed package. The contract and the command are callers themselves. */
const INSTALLED =
  /\/@array-interface\/(?:core|expressions|host|cuda|sycl|python)(?:@[^/]+)?\/(?:dist|src)\//;

/** The same below the folder of packages of a checkout. */
const BUILT = /^(?:core|expressions|host|cuda|sycl|python)\/(?:dist|src)\//;

/** This file in a checkout, with the folder of its packages. A bundle has another name. */
const HERE = /(\/[^\s()]*\/packages\/)core\/(?:dist\/shared\.js|src\/errors\/stack\.ts):/;

/** Also without a head, as engines other than V8 write it. */
const FRAME = /^\s+at |^[^\s@]*@\S+:\d+$/;

/** A frame of the engine or of Node: a native function, a combinator of promises, a timer. */
const ENGINE = /<anonymous>\)?$|\(native\)$|\(index \d+\)$|[( ]node:/;

/** What V8 adds to `Error`. Core also runs in other engines, and declares nothing of them. */
interface Engine {
  readonly captureStackTrace?: (target: object, below?: unknown) => void;
  readonly stackTraceLimit: number;
}

/** The frames of an error, which are formatted when they are read. */
export interface Frames {
  readonly stack?: string | undefined;
}

/**
 * Makes the stack of `error` begin at the line that called these packages. Returns the frames that
 * are below `type`, the class that makes it, or all; those of these packages included.
 *
 * Changes nothing in a bundle, whose frames are all in one file, or if `Error.captureStackTrace` is
 * missing. Formats nothing before the stack is read.
 */
export function beginAtCaller(error: Error, type?: abstract new (...args: never) => Error): Frames {
  const { captureStackTrace, stackTraceLimit: limit } = Error as unknown as Engine;
  if (typeof captureStackTrace !== 'function' || typeof limit !== 'number') return error;
  // The engine formats the name and the message that this inherits.
  const frames: Frames = Object.create(error, { stack: property(undefined) });
  withLimit(limit + INNER, () => captureStackTrace(frames, type));
  // Node shows the line of the first frame above an error that nobody catches, unless it is marked,
  // as the build marks this one. One frame also keeps nothing of the program alive.
  withLimit(1, () => captureStackTrace(error));
  Reflect.deleteProperty(error, 'stack'); // V8 forgets that frame if the property is replaced
  const replace = (stack: unknown) => {
    Reflect.defineProperty(error, 'stack', property(stack));
    return stack;
  };
  Object.defineProperty(error, 'stack', {
    configurable: true,
    get: () => replace(fromCaller(frames.stack, limit)),
    set: replace,
  });
  return frames;
}

function property(value: unknown): PropertyDescriptor {
  return { value, writable: true, configurable: true };
}

/** Lets stacks have so many frames while they are captured. Without effect on frozen intrinsics. */
function withLimit<T>(limit: number, capture: () => T): T {
  const before = (Error as unknown as Engine).stackTraceLimit;
  Reflect.set(Error, 'stackTraceLimit', limit);
  try {
    return capture();
  } finally {
    Reflect.set(Error, 'stackTraceLimit', before);
  }
}

/**
 * Returns a stack without the frames above the caller's, and with at most `limit` others. Cuts only
 * the end if there is no caller. Unchanged if a handler of the program made something other than
 * text of it.
 */
function fromCaller(stack: unknown, limit: number): unknown {
  if (typeof stack !== 'string') return stack;
  const lines = stack.split('\n');
  const first = lines.findIndex((line) => FRAME.test(line));
  if (first < 0) return stack;
  const [head, frames] = [lines.slice(0, first), lines.slice(first)];
  const folder = folderOfCheckout();
  const isOwn = (line: string) =>
    INSTALLED.test(line) || (folder !== undefined && BUILT.test(line.split(folder)[1] ?? ''));
  const caller = Math.max(
    0,
    frames.findIndex((line) => !isOwn(line) && !ENGINE.test(line)),
  );
  return [...head, ...frames.slice(caller, caller + limit)].join('\n');
}

/** Returns the folder of these packages. Undefined if they are installed, or in a bundle. */
function folderOfCheckout(): string | undefined {
  const here = () => withLimit(1, () => `${new Error().stack}`);
  return HERE.exec(withFallback(here, ''))?.[1];
}
