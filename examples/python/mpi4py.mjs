import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// mpiexec -n 2 node mpi4py.mjs VENV: our arrays travel between two processes of Node.
process.env.UCX_MEM_EVENTS = 'no'; // or UCX, which MPICH loads, may take a page of Node's heap
const python = startPython({ venv: process.argv[2] });
const mpi = python.import('mpi4py.MPI');
const world = mpi.get('COMM_WORLD');

if (world.get('rank') === 0) {
  const sent = await host.array([1, 2, 3], { dtype: 'float32' });
  world.callMethod('Send', [python.toPython(sent)], { dest: 1 });
} else {
  const got = host.empty([3], 'float32');
  world.callMethod('Recv', [python.toPython(got)], { source: 0 });
  console.log(await host.toTypedArray(got)); // Float32Array(3) [ 1, 2, 3 ]
}
mpi.callMethod('Finalize'); // mpi4py would do so when Python exits, which it does not do in Node
