import { type Descr, type DType, fromArrayInterface } from '../../src/index.js';

/** The record that a `descr` of this many bytes describes. */
export function record(itemsize: number, descr: Descr): DType {
  const typestr = `|V${itemsize}`;
  return fromArrayInterface({ version: 3, shape: [0], typestr, descr, data: [0, false] }).dtype;
}
