import { cuda } from '@array-interface/cuda';

// Ends, as a process or as a worker thread, while work is pending.
const stream = cuda.createStream();
const array = cuda.empty([1 << 24], 'uint8', { queue: stream });
await cuda.fill(array, 1);
for (let i = 0; i < 50; i++) void cuda.fill(array.slice([[i % 2, null, 2]]), i);
void stream.synchronize();
