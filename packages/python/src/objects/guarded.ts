import { ArrayInterfaceError } from '@array-interface/core';

/**
 * A prototype for `PyObject.prototype` that refuses properties which no object has. Without it,
 * `object.x = 1` would set a property of the JavaScript object, and none in Python.
 *
 * Only an assignment to a name that PyObject lacks comes here, so methods cost nothing more. Reading
 * such a name gives undefined, as promises and `inspect` expect.
 */
export function guarded(): object {
  return new Proxy(Object.create(Object.prototype), {
    set(_, name) {
      const shown = typeof name === 'symbol' ? String(name) : JSON.stringify(name);
      throw new ArrayInterfaceError(
        'ERR_TYPE',
        String(name),
        `expected set(${shown}, …) or setItem(${shown}, …), got an assignment, which Python would ` +
          'not see; call one of them',
      );
    },
  });
}
