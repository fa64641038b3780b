/** What an error message says about a value: short, on one line, and never throws. */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case 'bigint':
      return `${value}n`;
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
