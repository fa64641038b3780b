/** The PyObject of each proxy of `Python.proxy`. A proxy keeps it. */
const objects = new WeakMap<object, object>();

/** Notes which PyObject a proxy is of. */
export function noteProxy(proxy: object, object: object): void {
  objects.set(proxy, object);
}

/** The PyObject of a proxy. Undefined for anything else. */
export function proxiedBy(value: unknown): object | undefined {
  return typeof value === 'function' ? objects.get(value) : undefined;
}

/** The PyObject of a proxy; anything else as it is. */
export function unproxied<T>(value: T): T {
  return (proxiedBy(value) as T | undefined) ?? value;
}
