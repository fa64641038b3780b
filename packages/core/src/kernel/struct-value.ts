import type { Descr } from '../dtype/dtype.js';

type NameOf<Entry> = Entry extends readonly [infer Name, ...unknown[]]
  ? Name extends ''
    ? never
    : Name extends string
      ? Name
      : Name extends readonly [string, infer Own extends string]
        ? Own
        : never
  : never;

type Wide64 = 'int64' | 'uint64' | `${'' | '<' | '>' | '=' | '|'}${'i' | 'u'}8`;
type Bool = 'bool' | `${'' | '|'}${'?' | 'b1'}`;

type LeafOf<Type, Wide> = Type extends Descr
  ? StructValue<Type, Wide>
  : Type extends Wide64
    ? Wide
    : Type extends Bool
      ? boolean
      : number;

type NestedOf<Leaf, Shape> = Shape extends readonly [unknown]
  ? ArrayLike<Leaf>
  : Shape extends readonly [unknown, ...infer Rest]
    ? readonly NestedOf<Leaf, Rest>[]
    : Shape extends readonly []
      ? Leaf
      : unknown;

type ValueOf<Entry, Wide> = Entry extends readonly [unknown, infer Type, infer Shape]
  ? NestedOf<LeafOf<Type, Wide>, Shape>
  : Entry extends readonly [unknown, infer Type]
    ? LeafOf<Type, Wide>
    : never;

/**
 * The value of a struct: its fields by name. A sub-array is a list or a typed array; with several
 * axes, lists of those. `Wide` is what 64-bit integers are.
 */
export type StructValue<Fields extends Descr, Wide = number | bigint> = {
  readonly [Entry in Fields[number] as NameOf<Entry>]: ValueOf<Entry, Wide>;
};
