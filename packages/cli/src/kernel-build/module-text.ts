import { Failure } from '../output/failure.js';
import type { Compiled } from './compile.js';
import type { ParameterType, Signature } from './signature.js';
import type { Struct } from './struct-layout.js';

/** Words that cannot be the name of a module's export, and the module's own two names. */
const TAKEN = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval ' +
    'export extends false finally for function if implements import in instanceof interface let new ' +
    'null package private protected public return static super switch this throw true try typeof var ' +
    'void while with yield PTX SPIRV atob Uint8Array'
  ).split(' '),
);

/**
 * Returns a TypeScript module with the code of kernels and their parameters. The same parts always
 * give the same text.
 */
export function moduleText(
  source: string,
  origin: readonly string[],
  { kernels, ptx, spirv }: Compiled,
): string {
  return `${origin.map((line) => `// ${line}`).join('\n')}

const PTX = \`${escaped(ptx)}\`;

const SPIRV: Uint8Array = Uint8Array.from(
  atob(\`
${
  spirv
    .toString('base64')
    .match(/.{1,96}/g)
    ?.join('\n') ?? ''
}
\`),
  (byte) => byte.charCodeAt(0),
);
${kernels.map((kernel) => exported(kernel, source)).join('')}`;
}

function exported({ name, parameters, group }: Signature, source: string): string {
  if (TAKEN.has(name)) {
    throw new Failure(`kernel ${name}: expected a name that a TypeScript module can export`);
  }
  const lines = parameters.map((one) => `    ${one.name}: ${literal(one.type)},\n`);
  if (parameters.some((one) => one.name === '__proto__')) {
    throw new Failure(`kernel ${name}: expected a parameter's name, got __proto__`);
  }
  const taken = lines.length === 0 ? '{}' : `{\n${lines.join('')}  }`;
  return `
/** \`${name}\` of ${source}. */
export const ${name} = {
  name: '${name}',
  parameters: ${taken},
${group === undefined ? '' : `  group: [${groupOf(group).join(', ')}],\n`}  code: { cuda: { ptx: PTX as string }, sycl: { spirv: SPIRV as Uint8Array } },
} as const;
`;
}

/** The items of a group, the slowest axis first, without axes of one item before the others. */
function groupOf(sizes: readonly number[]): readonly number[] {
  const slowestFirst = [...sizes].reverse();
  const first = slowestFirst.findIndex((size) => size > 1);
  return slowestFirst.slice(first < 0 ? -1 : first);
}

function literal(type: ParameterType): string {
  if (type.kind === 'number') return `'${type.dtype}'`;
  if (type.kind === 'struct') return `{\n      struct: ${structLiteral(type.fields)},\n    }`;
  const align = type.align === undefined || type.kind === 'local' ? '' : `, align: ${type.align}`;
  return `{ ${type.kind}: '${type.dtype}'${align} }`;
}

function structLiteral(fields: Struct, indent = '      '): string {
  const entries = fields.map(([name, type, shape]) => {
    const axes = shape === undefined ? [] : [`[${shape.join(', ')}]`];
    if (typeof type === 'string') {
      return `${indent}  [${[`'${name}'`, `'${type}'`, ...axes].join(', ')}],\n`;
    }
    const parts = [`'${name}'`, structLiteral(type, `${indent}    `), ...axes];
    const lines = parts.map((part) => `${indent}    ${part},\n`);
    return `${indent}  [\n${lines.join('')}${indent}  ],\n`;
  });
  return `[\n${entries.join('')}${indent}]`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${');
}
