/** A program as the function that its module exports; processes and workers that it starts still run it. */
export function inFunction(code: string): string {
  const imports = code.match(/^import\s[^;]*;[^\n]*\n/gm) ?? [];
  const rest = imports.reduce((left, one) => left.replace(one, ''), code);
  return [
    ...imports,
    'export default async function example() {\n',
    rest,
    '}\n',
    "const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');\n",
    'if (globalThis.process?.send || threads?.isMainThread === false) await example();\n',
  ].join('');
}
