import { readString, STRING_PREFIX } from './literal-string.js';
import { isScalar, LONGEST, readWord, wordAt } from './literal-word.js';
import { Mistake } from './mistake.js';

/** The result of reading one text. */
export type Parsed =
  | {
      readonly value: unknown;
      /** If the value is a list, the position of each entry. */
      readonly starts: readonly number[];
    }
  | {
      /** What was expected, what was found, and what to do. */
      readonly problem: string;
      /** Its position, in UTF-16 units from the beginning. */
      readonly position: number;
    };

/** Lists and dicts may be nested as deep as Python lets source be. */
const DEEPEST = 200;

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

const SPACE: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);

/** Characters of a text that a message shows. */
const SHOWN = 40;

/** Objects that a dict may name, by how Python prints them. */
const QUEUE_OR_CONTEXT = /^<dpctl\.(?:\w+\.)?Sycl(Queue|Context) [^<>]*>$/;
const CAPSULE = /^<capsule object "(\w+)" at 0x[\da-f]+>$/i;

/**
 * Reads one value: JSON, or what Python prints for None, booleans, numbers, text, bytes, tuples,
 * lists and dicts. Evaluates nothing, never throws, and takes linear time. Tuples become lists,
 * bytes text of one character each. A queue, context or capsule becomes the object that stands for
 * it in JSON.
 */
export function parseLiteral(text: string): Parsed {
  try {
    return new LiteralReader(text).read();
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { problem: error.message, position: error.position };
  }
}

class LiteralReader {
  readonly #text: string;
  #at = 0;
  /** The positions of the brackets that are open. */
  readonly #open: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): { value: unknown; starts: readonly number[] } {
    const starts: number[] = [];
    this.#skipSpace();
    const value = this.#value(starts);
    this.#skipSpace();
    if (this.#at < this.#text.length) {
      throw this.#mistake('the end of the value', 'write one value a line');
    }
    return { value, starts };
  }

  /** `starts` receives the position of each entry if the value is a list. */
  #value(starts: number[] = []): unknown {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#dict();
      case '[':
      case '(':
        return this.#list(starts);
      case '"':
      case "'":
        return this.#joined('');
      case '<':
        return this.#object();
      default:
        return this.#word();
    }
  }

  #dict(): object {
    this.#enter();
    const entries = new Map<string, unknown>();
    while (!this.#leaves()) {
      const start = this.#at;
      const key = this.#key();
      if (entries.has(key)) {
        const again = `${shown(key)} again`;
        throw new Mistake(start, 'each key once', again, 'remove one of them');
      }
      this.#skipSpace();
      if (this.#text[this.#at] !== ':') throw this.#mistake('a colon after the key');
      this.#at++;
      this.#skipSpace();
      entries.set(key, this.#value());
      this.#separates();
    }
    // also makes an own property of __proto__
    return Object.fromEntries(entries);
  }

  #key(): string {
    const prefix = wordAt(this.#text, this.#at);
    if (this.#isString(prefix)) return this.#string(prefix);
    throw this.#mistake('a key in quotes');
  }

  /** Round brackets without a comma only group. */
  #list(starts: number[]): unknown {
    const isTuple = this.#text[this.#at] === '(';
    const list: unknown[] = [];
    let hasComma = false;
    this.#enter();
    while (!this.#leaves()) {
      starts.push(this.#at);
      list.push(this.#value());
      hasComma = this.#separates() || hasComma;
    }
    return isTuple && !hasComma && list.length === 1 ? list[0] : list;
  }

  /** A text, which Python's `pprint` may have broken into several lines. */
  #joined(prefix: string): string {
    const parts = [this.#string(prefix)];
    for (;;) {
      const end = this.#at;
      this.#skipSpace();
      const next = wordAt(this.#text, this.#at);
      // a text on the same line lacks a comma before it
      const isOnNextLine = this.#text.slice(end, this.#at).includes('\n');
      if (!isOnNextLine || !this.#isString(next)) return parts.join('');
      parts.push(this.#string(next));
    }
  }

  /** Whether a text begins here with this prefix, which may be empty. */
  #isString(prefix: string): boolean {
    return this.#isQuote(this.#at + prefix.length) && (prefix === '' || STRING_PREFIX.test(prefix));
  }

  #string(prefix: string): string {
    const { value, end } = readString(this.#text, this.#at + prefix.length, /r/i.test(prefix));
    this.#at = end;
    return value;
  }

  #object(): object {
    const end = this.#text.indexOf('>', this.#at) + 1 || this.#text.length;
    const object = objectOf(this.#text.slice(this.#at, end));
    if (object === null) {
      const cure = 'leave its key out, or write a value in its place';
      throw this.#mistake('a value, not an object as Python prints it', cure);
    }
    this.#at = end;
    return object;
  }

  #word(): unknown {
    const word = wordAt(this.#text, this.#at);
    const end = this.#at + word.length;
    if (word !== '' && this.#isString(word)) return this.#joined(word);
    if (isScalar(word) && this.#text[end] === '(') {
      this.#at = end;
      return this.#list([]);
    }
    if (word.length > LONGEST) throw this.#mistake('a number of at most 4300 digits');
    const value = readWord(word);
    if (value === undefined) throw this.#mistake('a value');
    this.#at = end;
    return value;
  }

  #isQuote(at: number): boolean {
    return this.#text[at] === '"' || this.#text[at] === "'";
  }

  /** Steps over an opening bracket. */
  #enter(): void {
    if (this.#open.length === DEEPEST) {
      const expected = `values nested at most ${DEEPEST} deep`;
      throw new Mistake(this.#at, expected, 'deeper ones', 'take the inner ones out');
    }
    this.#open.push(this.#at++);
    this.#skipSpace();
  }

  /** Steps over the closing bracket, if that comes next. */
  #leaves(): boolean {
    if (this.#text[this.#at] !== this.#closing()) return false;
    this.#at++;
    this.#open.pop();
    return true;
  }

  /** Steps over a comma and returns true, unless the closing bracket comes next. */
  #separates(): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] === this.#closing()) return false;
    if (this.#text[this.#at] !== ',') throw this.#mistake(`a comma or ${this.#closing()}`);
    this.#at++;
    this.#skipSpace();
    return true;
  }

  /** The bracket that closes the innermost open one. */
  #closing(): string {
    return CLOSING[this.#text[this.#open.at(-1) as number] as string] as string;
  }

  #skipSpace(): void {
    while (SPACE.has(this.#text[this.#at] as string)) this.#at++;
  }

  /** If the text ends too early, the mistake is the last bracket that is open. */
  #mistake(expected: string, cure?: string): Mistake {
    const last = this.#open.at(-1);
    if (this.#at < this.#text.length || last === undefined) {
      return new Mistake(this.#at, expected, this.#found(), cure);
    }
    const pair = `a ${this.#closing()} that closes this ${this.#text[last]}`;
    return new Mistake(last, pair, 'the end', 'close every bracket');
  }

  /** What comes next, for a message. */
  #found(): string {
    const next = this.#text[this.#at];
    if (next === undefined) return 'the end';
    if (this.#isQuote(this.#at)) return 'a text';
    const word =
      wordAt(this.#text, this.#at) ||
      /^<[^>\n]*>?/.exec(this.#text.slice(this.#at, this.#at + SHOWN))?.[0];
    return shown(word || String.fromCodePoint(this.#text.codePointAt(this.#at) as number));
  }
}

function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}

function objectOf(printed: string): object | null {
  const [, kind] = QUEUE_OR_CONTEXT.exec(printed) ?? [];
  if (kind !== undefined) return kind === 'Queue' ? { $queue: true } : { $context: true };
  const [, name] = CAPSULE.exec(printed) ?? [];
  return name === undefined ? null : { $capsule: name };
}
