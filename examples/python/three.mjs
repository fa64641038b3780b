import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';
import { sycl } from '@array-interface/sycl';

// node three.mjs VENV: an array of NumPy, one of dpnp and one of Numba in Node, and back.
const python = startPython({ venv: process.argv[2] });
python.exec(`
import dpnp.tensor, numba.cuda, numpy
given = [numpy.arange(4.0), dpnp.arange(4.0), numba.cuda.to_device(numpy.arange(4.0))]
take = [numpy.asarray, dpnp.tensor.asarray, numba.cuda.as_cuda_array]
read = [numpy.asarray, dpnp.asnumpy, lambda array: array.copy_to_host()]
`);
const [given, take, read] = ['given', 'take', 'read'].map((name) => [...python.eval(name)]);
for (const [i, backend] of [host, sycl, cuda].entries()) {
  const array = backend.asArray(given[i], { readOnly: false });
  await backend.fill(array.slice([[1, 3]]), 7);
  const back = take[i].call([python.toPython(array)]);
  console.log(read[i].call([back]).toJS()); // [ 0, 7, 7, 3 ]
}
