/** A program as the function that its module exports; one that it forks still runs it. */
export function inFunction(code: string): string {
  const imports = code.match(/^import\s[^;]*;[^\n]*\n/gm) ?? [];
  const rest = imports.reduce((left, one) => left.replace(one, ''), code);
  return [
    ...imports,
    'export default async function example() {\n',
    rest,
    '}\n',
    "if (typeof process !== 'undefined' && process.send) await example();\n",
  ].join('');
}
