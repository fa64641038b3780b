import { PyObject } from '@array-interface/python';

/** The whole value of what Python gave: of a list, a tuple or a dict it is a copy. */
export function plain(value: unknown): unknown {
  return value instanceof PyObject ? value.toJS() : value;
}
