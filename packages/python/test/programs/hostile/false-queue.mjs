// An object whose address is no queue's. Prints what is said of it.
import { startPython } from '@array-interface/python';
import { sycl } from '@array-interface/sycl';

sycl.devices(); // before dpctl, which finds none by itself
const python = startPython({ venv: process.env.ARRAY_INTERFACE_TEST_PYTHON });
python.exec(`
import dpctl
class Queue:
    def addressof_ref(self): return 8
`);
const array = sycl.empty([4], 'uint8');
void sycl.fill(array, 1);
try {
  python.toPython(array).callMethod('__dlpack__', [], { stream: python.eval('Queue()') });
} catch (error) {
  console.log(error.message);
}
