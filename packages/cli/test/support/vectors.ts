import { readFileSync } from 'node:fs';
import { parse, stringify } from 'lossless-json';

export interface Vector {
  readonly id: string;
  /** The interface dict as text, its numbers as the file spells them. */
  readonly text: string;
  readonly from?: 'cuda' | 'sycl';
  readonly to?: 'cuda' | 'sycl';
  readonly expect: {
    readonly ok: boolean;
    readonly code?: string;
    readonly path?: string;
    readonly [field: string]: unknown;
  };
}

/** The cases of core's files; what JSON has no number for stands in the text as JavaScript writes it. */
export function readVectors(file: string): readonly Vector[] {
  const url = new URL(`../../../core/test/support/vectors/${file}`, import.meta.url);
  const json = readFileSync(url, 'utf8');
  const exact = parse(json) as { vectors: { desc: unknown }[] };
  const { vectors } = JSON.parse(json) as { vectors: Omit<Vector, 'text'>[] };
  return vectors.map((vector, index) => ({ ...vector, text: textOf(exact.vectors[index]?.desc) }));
}

function textOf(desc: unknown): string {
  return (stringify(desc) as string).replace(/\{"\$(?:int|js)":"([^"]*)"\}/g, '$1');
}
