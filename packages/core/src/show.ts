const LARGE = 2n ** 128n;

/** What an error message says about a value: short, on one line, and never throws. */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quote(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case 'bigint':
      return value > -LARGE && value < LARGE ? `${value}n` : 'a bigint past 2^128';
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : 'an object';
    case 'symbol':
      return value.description ?? 'a symbol';
    case 'undefined':
      return 'nothing';
    default:
      return `a ${typeof value}`;
  }
}

/** Also escapes what JSON leaves as it is and terminals obey: C1 controls, and marks that turn text around. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
