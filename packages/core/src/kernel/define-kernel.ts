import { badArgument, checkOptions, readOption } from '../input/argument.js';
import { guarded } from '../input/dict.js';
import type { Kernel, KernelCode } from './kernel.js';
import type { Parameters } from './parameter.js';
import { readSignature, type Signature } from './signature.js';

/** A kernel as it was read, once: its own copies of what it has. */
export interface ReadKernel {
  readonly kernel: Kernel;
  readonly signature: Signature;
}

const read = new WeakMap<object, ReadKernel>();

/**
 * A kernel: one function over arrays, with its code for each backend that runs it. Checks the
 * definition and freezes what it gives; compiles nothing. `backend.launch` runs it. Define a kernel
 * once: each definition is built anew. Throws ERR_ARGUMENT, ERR_TYPE, and what `dtype` throws.
 */
export function defineKernel<const P extends Parameters>(definition: Kernel<P>): Kernel<P> {
  const made = readDefinition(definition as unknown as Kernel);
  read.set(made.kernel, made);
  return made.kernel as unknown as Kernel<P>;
}

/**
 * A kernel as it was read. It reads plain objects, too, once for each: a kernel may come from
 * another installed copy of core. Throws as `defineKernel` does.
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
  checkOptions(definition, ['name', 'parameters', 'code', 'mayOverlap']);
  const name = readOption(definition, 'name');
  if (typeof name !== 'string' || name === '') throw badArgument('name', 'a name', name);
  const mayOverlap = readOption(definition, 'mayOverlap', false);
  if (typeof mayOverlap !== 'boolean') {
    throw badArgument('mayOverlap', 'true or false', mayOverlap);
  }
  const parameters = copyOf(readOption(definition, 'parameters'), 'parameters');
  const code = copyOf(readOption(definition, 'code'), 'code') as KernelCode;
  const kernel = Object.freeze({ name, parameters: parameters as Parameters, code, mayOverlap });
  return { kernel, signature: readSignature(parameters) };
}

/** A frozen copy of an object with names. Throws ERR_ARGUMENT for anything else. */
function copyOf(value: unknown, path: string): object {
  const isObject = typeof value === 'object' && value !== null;
  if (!isObject || guarded('ERR_ARGUMENT', path, () => Array.isArray(value))) {
    throw badArgument(path, 'an object with names', value);
  }
  return guarded('ERR_ARGUMENT', path, () => Object.freeze({ ...value }));
}
