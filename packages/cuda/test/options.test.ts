import { checkedOptions } from '@array-interface/contract';
import { cuda } from '@array-interface/cuda';

// The contract tests the functions that every backend has.
checkedOptions({
  createStream: (given) => cuda.createStream(given),
  createPool: (given) => cuda.createPool(given),
  defaultPool: (given) => void cuda.defaultPool(given),
  register: (given) => cuda.register(new Uint8Array(new SharedArrayBuffer(4096)), given),
  stream: (given) => cuda.stream(1n, given),
  settle: async (given) => {
    using array = cuda.empty([1], 'uint8');
    await cuda.settle(array, given);
  },
  'record of a stream': (given) => {
    using stream = cuda.createStream();
    stream.record(given);
  },
});
