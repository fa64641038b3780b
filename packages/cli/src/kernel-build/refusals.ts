import { Failure } from '../output/failure.js';
import type { Ir } from './ir.js';
import { placeOfKernel, type ShowPlace, type Signature } from './signature.js';

/** The most static local memory of a kernel in PTX. More has to be a parameter. */
const MOST_LOCAL = 48 * 1024;
/** The most items of a group on a GPU of CUDA, and the most along z. */
const MOST_ITEMS = 1024;
const MOST_ALONG_Z = 64;

/** Refuses inline assembly: no assembly is both a GPU's and SPIR-V. */
export function assemblyFailures(ir: Ir, show: ShowPlace): Failure[] {
  return ir.assembly.map(
    (place) =>
      new Failure(
        'expected OpenCL C, got inline assembly',
        'write it in OpenCL C: the same source has to make code for CUDA and for SYCL',
        show(place),
      ),
  );
}

/**
 * Refuses calls of kernels that only OpenCL's own rules could make sense of: of a kernel with local
 * variables, whose meaning is the device's, and of one that requires other groups.
 */
export function kernelCallFailures(
  ir: Ir,
  kernels: readonly Signature[],
  show: ShowPlace,
): Failure[] {
  const known = new Map(kernels.map((kernel) => [kernel.name, kernel]));
  return kernelCalls(ir).flatMap(({ caller, callee, place }) => {
    const hasLocal = ir.localVariables(callee).length > 0;
    const own = known.get(callee)?.group;
    const groups = own !== undefined && `${own}` !== `${known.get(caller)?.group}`;
    if (!hasLocal && !groups) return [];
    const what = hasLocal ? 'has local variables' : `requires groups of ${own?.join(' × ')}`;
    return [
      new Failure(
        `expected a call of a function, got one of the kernel ${callee}, which ${what}`,
        'move what both do into a function, and call it from both kernels',
        show(place),
      ),
    ];
  });
}

/** Refuses kernels that require groups that no GPU of CUDA runs. */
export function groupFailures(kernels: readonly Signature[], ir: Ir, show: ShowPlace): Failure[] {
  return kernels.flatMap(({ name, group = [] }) => {
    const items = group.reduce((product, size) => product * size, 1);
    if (items <= MOST_ITEMS && (group[2] ?? 1) <= MOST_ALONG_Z) return [];
    return [
      new Failure(
        `expected groups of at most ${MOST_ITEMS} items in ${name}, and of ${MOST_ALONG_Z} along z, got ` +
          group.join(' × '),
        'require a smaller group: no GPU runs a larger one',
        show(placeOfKernel(ir, name)),
      ),
    ];
  });
}

/** The calls of kernels by functions. */
export function kernelCalls(ir: Ir): Ir['calls'] {
  return ir.calls.filter(({ callee }) => / spir_kernel /.test(ir.functions.get(callee) ?? ''));
}

/** Refuses kernels that the compiler has not copied into those that call them. */
export function callTargetFailures(ptx: string, ir: Ir, show: ShowPlace): Failure[] {
  const kernels = new Set([...ptx.matchAll(/\.entry ([\w$]+)\(/g)].map(([, name]) => name));
  const called = [...ptx.matchAll(/\bcall(?:\.uni)?\s+(?:\([^)]*\),\s*)?([\w$]+)/g)];
  const targets = new Set(called.map(([, name]) => name as string));
  return [...targets]
    .filter((name) => kernels.has(name))
    .map(
      (name) =>
        new Failure(
          `expected a call of a function, got one of the kernel ${name}, which CUDA cannot call`,
          'move what both do into a function, and call it from both kernels',
          show(ir.calls.find(({ callee }) => callee === name)?.place ?? null),
        ),
    );
}

/** Refuses kernels whose local variables no compiler for a GPU accepts. */
export function localMemoryFailures(ptx: string, ir: Ir, show: ShowPlace): Failure[] {
  return [...ptx.matchAll(/\.entry ([\w$]+)\([^{]*\{([\s\S]*?)\n\}/g)].flatMap(
    ([, kernel = '', body = '']) => {
      const bytes = localBytes(body);
      if (bytes <= MOST_LOCAL) return [];
      const [variable] = ir.localVariables(kernel);
      const place = variable === undefined ? placeOfKernel(ir, kernel) : ir.placeOf(variable);
      return [
        new Failure(
          `expected at most ${MOST_LOCAL} bytes of local variables in ${kernel}, got ${bytes}`,
          'take the memory as a __local parameter, whose size the launch gives, or use less',
          show(place),
        ),
      ];
    },
  );
}

/** The bytes of the shared variables of a function's body, one after the other. */
function localBytes(body: string): number {
  const variables = body.matchAll(/\.shared \.align (\d+) \.\w+ [\w$]+(?:\[(\d+)\])?;/g);
  let end = 0;
  for (const [text, align, length] of variables) {
    const size = length === undefined ? sizeOfType(text) : Number(length);
    end = Math.ceil(end / Number(align)) * Number(align) + size;
  }
  return end;
}

function sizeOfType(declaration: string): number {
  return Number(/\.[busf](\d+) /.exec(declaration)?.[1] ?? 8) / 8;
}
