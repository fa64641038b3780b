// A worker: writes a column into the structs at the addresses in workerData, and ends.
import { workerData } from 'node:worker_threads';
import { host } from '@array-interface/host';

host.toArrow(await host.array([1, 2, 3], { dtype: 'float32' }), workerData);
