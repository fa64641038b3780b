import { readFileSync } from 'node:fs';
import type { InterfaceDict } from '@array-interface/core';

/** A case of core's conformance vectors that must be accepted. */
export interface Accepted {
  readonly id: string;
  /** The interface dict. */
  readonly desc: InterfaceDict;
}

/** The accepted cases of one of core's files. */
export function acceptedVectors(file: string): readonly Accepted[] {
  const url = new URL(
    `../../../../packages/core/test/support/vectors/${file}.json`,
    import.meta.url,
  );
  const { vectors } = JSON.parse(readFileSync(url, 'utf8'), revive);
  return vectors.filter(({ expect }: { expect: { ok: boolean } }) => expect.ok);
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$int' in value) return BigInt(value.$int as string);
  if ('$js' in value) return Number(value.$js);
  return value;
}
