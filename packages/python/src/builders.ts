// Functions with which native code takes JavaScript objects apart, and builds them.

const { defineProperty, getPrototypeOf, keys } = Object;

/**
 * An object's kind and contents: `['dict', key, value, …]` for a plain object or a Map, `['set',
 * member, …]` for a Set. For others, only a description, since Python has no such value.
 */
export function entriesOf(value: object): unknown[] {
  const entries: unknown[] = ['dict'];
  if (value instanceof Map) {
    for (const [key, one] of value) entries.push(key, one);
    return entries;
  }
  if (value instanceof Set) return ['set', ...value];
  if (!isPlain(value)) return [nameOf(value)];
  for (const key of keys(value)) entries.push(key, (value as Record<string, unknown>)[key]);
  return entries;
}

/**
 * True for a plain object, also of another realm: its prototype is that realm's Object.prototype.
 */
export function isPlain(value: object): boolean {
  const prototype = getPrototypeOf(value);
  return prototype === null || getPrototypeOf(prototype) === null;
}

function nameOf(value: object): string {
  const { name } = value.constructor ?? {};
  return typeof name === 'string' && name !== '' ? `an object of the class ${name}` : 'an object';
}

/** Makes a plain object. A key such as `__proto__` becomes an own property. */
export function objectOf(names: readonly string[], values: readonly unknown[]): object {
  const made: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const value = values[i];
    if (name in made) {
      defineProperty(made, name, { value, writable: true, enumerable: true, configurable: true });
    } else {
      made[name] = value;
    }
  }
  return made;
}

export function mapOf(keys: readonly unknown[], values: readonly unknown[]): Map<unknown, unknown> {
  const made = new Map<unknown, unknown>();
  for (let i = 0; i < keys.length; i++) made.set(keys[i], values[i]);
  return made;
}

export function setOf(members: readonly unknown[]): Set<unknown> {
  return new Set(members);
}

/** Throws if there is no memory. */
export function bytesOf(length: number): Uint8Array {
  return new Uint8Array(length);
}
