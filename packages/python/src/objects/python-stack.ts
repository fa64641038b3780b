import { type ArrayInterfaceError, isArrayInterfaceError, printable } from '@array-interface/core';
import { beginAtCaller } from '@array-interface/core/backend';

// The stack of a PythonError: the lines of JavaScript that called Python, and Python's traceback.

/** The maximum length of a message. */
const LONGEST = 2000;
/** What Python prints between two exceptions of which one led to the other. */
const CHAINED =
  /\n(?:The above exception was the direct cause of|During handling of the above exception, another).*\n\n/;
const FRAME = /^[ \t]+at /m;
const FRAMES = new RegExp(FRAME, 'gm');

/** A PythonError. */
type Failure = ArrayInterfaceError & { readonly traceback: string };

/**
 * Gives an error that was made while no JavaScript ran the frames of the code that awaits it. Leaves
 * others as they are.
 */
export function addFrames(error: unknown): void {
  if (!isPython(error)) return;
  const frames = error.fullStack?.match(FRAMES) ?? [];
  if (frames.length > 1) return; // besides the constructor's
  beginAtCaller(error);
  showTraceback(error);
}

/** Adds Python's traceback to the stack, when that is read. That of a cause is with the cause. */
export function showTraceback(error: Failure): void {
  const frames = Object.getOwnPropertyDescriptor(error, 'stack');
  const read = () => (frames?.get === undefined ? frames?.value : frames.get.call(error));
  const replace = (stack: unknown) => {
    define(error, { stack });
    return stack;
  };
  Object.defineProperty(error, 'stack', {
    configurable: true,
    get: () => replace(withTraceback(error, read())),
    set: replace,
  });
}

/** Unchanged if a handler of the program made something other than text of the stack. */
function withTraceback(error: Failure, stack: unknown): unknown {
  if (typeof stack !== 'string') return stack;
  const head = `${error.name}: ${error.message}`;
  const below = stack.startsWith(head) ? stack.slice(head.length) : stack;
  const first = below.search(FRAME);
  const frames = first < 0 ? '' : `\n${below.slice(first)}`;
  const own = error.traceback.split(CHAINED).at(-1) as string;
  return `${head}${frames}\n\n${readable(own).trimEnd()}`;
}

/** The message of a PythonError, with the lines that its reason has. */
export function messageOf(reason: string): string {
  const text = `[ERR_PYTHON] ${reason}`;
  return readable(text.length < LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);
}

function isPython(error: unknown): error is Failure {
  return isArrayInterfaceError(error, 'ERR_PYTHON');
}

/** Text as a terminal may show it, with its lines and tabs. */
function readable(text: string): string {
  return text.replace(/[^\n\t]+/g, printable);
}

export function define(error: Failure, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(error, name, { value, writable: true, configurable: true });
  }
}
