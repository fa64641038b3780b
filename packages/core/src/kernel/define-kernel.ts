import { badArgument, checkOptions, readOption } from '../input/argument.js';
import { guarded } from '../input/dict.js';
import type { Kernel, KernelCode } from './kernel.js';
import { readLengths } from './lengths.js';
import type { Parameters } from './parameter.js';
import { readSignature, type Signature } from './signature.js';

/** A kernel as it was read, once, with copies of all its properties. */
export interface ReadKernel {
  readonly kernel: Kernel;
  readonly signature: Signature;
}

const read = new WeakMap<object, ReadKernel>();

/**
 * Makes a kernel: one function over arrays, with its code for each backend that runs it. Compiles
 * nothing.
 *
 * Checks the definition and freezes the result. `backend.launch` runs it. Define a kernel only
 * once: each definition is built again. Throws ERR_ARGUMENT, ERR_TYPE, and what `dtype` throws.
 *
 * @example
 * ```ts
 * import { defineKernel } from '@array-interface/core/kernel';
 * import { host } from '@array-interface/host';
 *
 * const scale = defineKernel({
 *   name: 'scale',
 *   parameters: { values: { write: 'float32' }, factor: 'float32' },
 *   code: {
 *     host: {
 *       javascript({ values, factor }, [count = 0]) {
 *         for (let i = 0; i < count; i++) values[i]! *= factor;
 *       },
 *     },
 *   },
 * });
 * using values = await host.array([1, 2, 3], { dtype: 'float32' });
 * await host.launch(scale, { range: [3] }, { values, factor: 2 });
 * ```
 */
export function defineKernel<const P extends Parameters>(definition: Kernel<P>): Kernel<P> {
  const made = readDefinition(definition as unknown as Kernel);
  read.set(made.kernel, made);
  return made.kernel as unknown as Kernel<P>;
}

/**
 * Reads a kernel. Also reads plain objects, each once: a kernel may come from another installed
 * copy of core. Throws what `defineKernel` throws.
 */
export function readKernel(kernel: Kernel): ReadKernel {
  const known = typeof kernel === 'object' && kernel !== null ? read.get(kernel) : undefined;
  if (known !== undefined) return known;
  const made = readDefinition(kernel);
  read.set(kernel, made);
  return made;
}

function readDefinition(definition: Kernel): ReadKernel {
  if (typeof definition !== 'object' || definition === null) {
    throw badArgument('kernel', 'a kernel, made with defineKernel()', definition);
  }
  checkOptions(definition, ['name', 'parameters', 'code', 'mayOverlap', 'group']);
  const name = readOption(definition, 'name');
  if (typeof name !== 'string' || name === '') throw badArgument('name', 'a name', name);
  const mayOverlap = readOption(definition, 'mayOverlap', false);
  if (typeof mayOverlap !== 'boolean') {
    throw badArgument('mayOverlap', 'true or false', mayOverlap);
  }
  const given = readOption(definition, 'group');
  const group = given === undefined ? null : Object.freeze(readLengths(given, 'group', 1));
  const parameters = copyOf(readOption(definition, 'parameters'), 'parameters');
  const code = copyOf(readOption(definition, 'code'), 'code') as KernelCode;
  const kernel = Object.freeze({
    name,
    parameters: parameters as Parameters,
    code,
    mayOverlap,
    ...(group === null ? {} : { group }),
  });
  return { kernel, signature: readSignature(parameters) };
}

/** Returns a frozen copy of an object's named properties. Throws ERR_ARGUMENT for anything else. */
function copyOf(value: unknown, path: string): object {
  const isObject = typeof value === 'object' && value !== null;
  if (!isObject || guarded('ERR_ARGUMENT', path, () => Array.isArray(value))) {
    throw badArgument(path, 'an object with names', value);
  }
  return guarded('ERR_ARGUMENT', path, () => Object.freeze({ ...value }));
}
