import { type PyObject, type Python, startPython } from '@array-interface/python';

/** A rank of an MPI job, whose Python runs in this process. */
export interface World {
  readonly python: Python;
  /** MPI's communicator of all ranks. */
  readonly comm: PyObject;
  readonly rank: number;
  readonly size: number;
}

/**
 * Starts the Python of an environment in this process, and MPI with it. From then on the process ends
 * as a rank must: with status 0 once all ranks have ended, and with any other status it ends the whole
 * job, since the others would wait for it for ever.
 */
export function joinWorld(venv: string): World {
  process.env['UCX_MEM_EVENTS'] = 'no'; // or UCX, which MPICH loads, may take a page of Node's heap
  const python = startPython({ venv });
  const mpi = python.import('mpi4py.MPI');
  const comm = mpi.get('COMM_WORLD') as PyObject;
  process.prependOnceListener('exit', (status) => {
    if (status === 0) mpi.callMethod('Finalize');
    else comm.callMethod('Abort', [status]);
  });
  return { python, comm, rank: comm.get('rank') as number, size: comm.get('size') as number };
}
