import type { ArrayInterfaceError } from '../../errors/error.js';
import { mismatch } from '../../errors/mismatch.js';
import { show } from '../../errors/show.js';
import { guarded } from '../../input/dict.js';
import type { Kernel } from '../../kernel/kernel.js';

/** A kernel's code for one backend: one kind of code, and the name of its function. */
export interface ReadCode {
  /** The kind: one of those that were requested. */
  readonly kind: string;
  /** The code itself, unchecked. */
  readonly value: unknown;
  /** The name of its function. */
  readonly name: string;
}

/**
 * Reads the code of a kernel for one backend: an object with one of `kinds`, and `function` if the
 * name in the code differs. Throws ERR_KERNEL.
 */
export function readCode(kernel: Kernel, backend: string, kinds: readonly string[]): ReadCode {
  const path = `code.${backend}`;
  const code = (kernel.code as Readonly<Record<string, unknown>>)[backend];
  if (typeof code !== 'object' || code === null) throw badCode(path, kinds, show(code));
  const given = guarded('ERR_KERNEL', path, () => ({ ...code })) as Readonly<
    Record<string, unknown>
  >;
  const named = kinds.filter((kind) => given[kind] !== undefined);
  const [kind, another] = named;
  if (kind === undefined || another !== undefined)
    throw badCode(path, kinds, Object.keys(given).join(', ') || 'none');
  const { function: name = kernel.name } = given;
  if (typeof name === 'string' && name !== '' && !name.includes('\0'))
    return { kind, value: given[kind], name };
  throw mismatch('ERR_KERNEL', `${path}.function`, 'the name of a function', show(name));
}

/** Returns the bytes of code. Throws ERR_KERNEL unless they are a non-empty Uint8Array. */
export function readBytes({ kind, value }: ReadCode, backend: string): Uint8Array {
  if (value instanceof Uint8Array && value.byteLength > 0) return value;
  const path = `code.${backend}.${kind}`;
  throw mismatch('ERR_KERNEL', path, 'the code in a Uint8Array', show(value));
}

function badCode(path: string, kinds: readonly string[], got: string): ArrayInterfaceError {
  return mismatch('ERR_KERNEL', path, `an object with one of ${kinds.join(', ')}`, got);
}
