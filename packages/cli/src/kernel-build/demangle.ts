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

/** `_Z3minDv4_fS_` as `min(float4, float4)`: as much of it as OpenCL's functions need. */
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
  // pointers and what else is rare: the name says enough
  return shown.some((one) => one.startsWith('?')) ? name : `${name}(${shown.join(', ')})`;
}
