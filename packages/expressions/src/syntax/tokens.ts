import { faultAt, quoted } from './fault.js';
import type { Span } from './node.js';

/** A word of a text. `symbol` includes the end of a statement and of the text. */
export interface Token extends Span {
  readonly kind: 'number' | 'name' | 'symbol' | 'end';
  /** As it stands in the text; `;` for a line end, nothing for the end of the text. */
  readonly word: string;
}

/** Maximum length of a text. */
export const MOST_CHARACTERS = 16_384;

const SPACE = /(?:[ \t\r]|#[^\n]*)+/y;
const NUMBER = /0[xX][0-9a-fA-F]+|0[bB][01]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const SYMBOL = /\*\*|\/\/|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>=?:(),;\n]/y;

/** Splits a text into words. Throws ERR_ARGUMENT for a character that no word has. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (true) {
    at += match(SPACE)?.length ?? 0;
    if (at >= text.length) break;
    const start = at;
    const add = (kind: Token['kind'], word: string) => {
      at = start + word.length;
      tokens.push({ kind, word: word === '\n' ? ';' : word, start, end: at });
    };
    const number = match(NUMBER);
    const name = number === undefined ? match(NAME) : undefined;
    const symbol = match(SYMBOL);
    if (number !== undefined) {
      add('number', number);
      const suffix = match(NAME);
      if (suffix !== undefined)
        throw faultAt(
          text,
          { start, end: at + suffix.length },
          'a number',
          quoted(number + suffix),
        );
    } else if (name !== undefined) add('name', name);
    else if (symbol !== undefined) add('symbol', symbol);
    else throw unknown(text, start);
  }
  tokens.push({ kind: 'end', word: '', start: text.length, end: text.length });
  return tokens;
}

function unknown(text: string, start: number): Error {
  const character = String.fromCodePoint(text.codePointAt(start) as number);
  const cure = {
    '.': 'functions have no dots before them',
    '[': 'take parts of arrays by slice() before',
    "'": 'there is no text in expressions',
    '"': 'there is no text in expressions',
  }[character];
  const end = start + character.length;
  return faultAt(text, { start, end }, 'an operand or an operator', quoted(character), cure);
}
