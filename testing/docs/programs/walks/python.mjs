// An array of Python's is borrowed.
import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

export function prepare() {
  const python = startPython();
  python.exec('import array');
  const object = python.eval("array.array('d', [1, 2, 3])");
  return () => host.asArray(object);
}
