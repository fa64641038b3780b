// Prints what Python says of a bytearray that grows while it is lent, where `numpy.ndarray` is its class.
import { host } from '@array-interface/host';
import { python } from '../running.mjs';

python.exec(`
import sys, types
false = types.ModuleType('numpy')
false.ndarray = bytearray
sys.modules['numpy'] = false
lent = bytearray(1 << 20)
`);
const array = host.asArray(python.eval('lent'));
const grown = python.eval('lambda: lent.extend(bytes(1 << 24))');
try {
  grown.call();
} catch ({ type }) {
  console.log(type);
}
array[Symbol.dispose]();
