/** Where something stands in a text: `[start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The operators, as they are written. Unary ones have one operand. */
export type Operator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '%'
  | '**'
  | '<<'
  | '>>'
  | '&'
  | '^'
  | '|'
  | '~'
  | '!'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&&'
  | '||'
  | '?:';

/** One part of an expression. `operands` are indices of earlier nodes. */
export type Node = Span &
  (
    | { readonly kind: 'integer'; readonly value: bigint }
    | { readonly kind: 'float'; readonly value: number }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'operator'; readonly operator: Operator; readonly operands: number[] }
    | {
        readonly kind: 'call';
        readonly name: Span & Named;
        readonly operands: number[];
        readonly options: readonly Option[];
      }
  );

/** An option of a reduction, `axis=0`, whose span is that of its value. */
export interface Option extends Span, Named {
  readonly label: Span;
  readonly value: Literal;
}

/** What an option may be: a number, a name, or numbers in parentheses. */
export type Literal = bigint | number | string | readonly (bigint | number)[];

/** Something with a name. */
export interface Named {
  readonly name: string;
}

/** What is done with the value of a node. */
export interface Statement extends Named {
  /** `result` has no name, and is the last one. */
  readonly kind: 'let' | 'assign' | 'result';
  /** Where the name stands, or the expression of a result. */
  readonly span: Span;
  /** The index of the node. */
  readonly value: number;
}

/**
 * A text that was parsed. Operands stand before what uses them, so a loop over the nodes needs no
 * stack, however deep the text is.
 */
export interface Syntax {
  readonly text: string;
  readonly nodes: readonly Node[];
  readonly statements: readonly Statement[];
}
