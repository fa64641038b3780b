import { Failure } from '../output/failure.js';
import { demangle } from './demangle.js';
import type { Ir } from './ir.js';
import type { ShowPlace } from './signature.js';

/** Functions of floats whose place an instruction of the GPU can take. */
const NATIVE = new Set(['sin', 'cos', 'tan', 'exp', 'exp2', 'exp10', 'log', 'log2', 'log10']);
const OWN = 'define one of your own under another name';

/** What to do instead of calling a function of OpenCL that CUDA's code lacks: the first that fits. */
const ADVICE: readonly (readonly [name: RegExp, advice: string])[] = [
  [/^printf$/, 'write what you want to see into an array, and read it after the launch'],
  [/^get_work_dim$/, 'take the number of axes as a parameter: CUDA does not know it'],
  [/^(async_work_group|wait_group)/, 'copy in a loop of all items, then call barrier'],
  [/^(read|write|get)_(image|sampler)/, 'take a __global pointer, and sizes as parameters'],
  [/^atom_/, 'call the function whose name begins with atomic_, which is for 32 bits'],
  [/^(work_group|sub_group)_/, 'use __local memory and barrier'],
  [/^(pow|powr)$/, 'call native_powr if its precision suffices and the base is not negative'],
  [/^sincos$/, 'call native_sin and native_cos if their precision suffices'],
];

function adviceFor(shown: string): string {
  const name = shown.replace(/\(.*/, '');
  const known = ADVICE.find(([pattern]) => pattern.test(name))?.[1];
  if (known !== undefined) return known.includes('native_') ? `${known}, or ${OWN}` : known;
  if (!NATIVE.has(name)) return OWN;
  const isFloat = !shown.includes('double');
  const instead = isFloat ? `call native_${name}` : `call native_${name} with a float`;
  return `${instead} if its precision suffices, or ${OWN}`;
}

/** Refuses functions that PTX calls but does not define, by their mangled names. */
export function missingOnCuda(missing: readonly string[], ir: Ir, show: ShowPlace): Failure[] {
  return missing.map((mangled) => {
    const shown = demangle(mangled);
    const what = `expected a function that CUDA's code also has, got ${shown}`;
    return new Failure(what, adviceFor(shown), placeOfCall(mangled, ir, show));
  });
}

/** Refuses functions that are declared but defined nowhere. */
export function missingEverywhere(missing: readonly string[], ir: Ir, show: ShowPlace): Failure[] {
  return missing.map(
    (mangled) =>
      new Failure(
        `expected a definition of ${demangle(mangled)}, got only a declaration`,
        'define it in this file, or in one that this file includes',
        placeOfCall(mangled, ir, show),
      ),
  );
}

/** Where a function is called first. Two targets number address spaces differently. */
function placeOfCall(mangled: string, ir: Ir, show: ShowPlace): string | null {
  const plain = (name: string) => name.replaceAll(/U3AS\d/g, '');
  const call =
    ir.calls.find(({ callee }) => callee === mangled) ??
    ir.calls.find(({ callee }) => plain(callee) === plain(mangled));
  return show(call?.place ?? null);
}
