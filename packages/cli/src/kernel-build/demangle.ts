const TYPES: Readonly<Record<string, string>> = {
  a: 'char',
  b: 'bool',
  c: 'char',
  d: 'double',
  f: 'float',
  h: 'uchar',
  i: 'int',
  j: 'uint',
  l: 'long',
  m: 'ulong',
  s: 'short',
  t: 'ushort',
  v: '',
};

/**
 * Demangles `_Z3minDv4_fS_` to `min(float4, float4)`. Supports as much as OpenCL's functions need.
 */
export function demangle(mangled: string): string {
  const [, digits] = /^_Z(\d+)/.exec(mangled) ?? [];
  if (digits === undefined) return mangled;
  const start = 2 + digits.length;
  const name = mangled.slice(start, start + Number(digits));
  const types = [
    ...mangled.slice(start + Number(digits)).matchAll(/(?:Dv(\d+)_)?([a-z])|S\d*_|./g),
  ];
  let last = '';
  const shown = types.map(([text, lanes, code]) => {
    if (text.startsWith('S')) return last;
    last = `${TYPES[code ?? ''] ?? '?'}${lanes ?? ''}`;
    return last;
  });
  // pointers and other rare types: the name is enough
  return shown.some((one) => one.startsWith('?')) ? name : `${name}(${shown.join(', ')})`;
}
