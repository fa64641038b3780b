import { makeDescriptor } from '@array-interface/core';
import { sycl } from '@array-interface/sycl';
import { nanoseconds, perAwaitedCall } from '../runner/stopwatch.mjs';

// node small-copies.mjs, as a child: copies of 2^13 elements on a SYCL device, in a process that
// has copied only runs of bytes before. Prints nanoseconds: of the first copy, and, for each
// layout, per element of later copies, when nothing is compiled any more.
const COUNT = 200;
const [rows, columns] = [128, 64];
const side = (dtype, byteStrides) => ({ shape: [rows, columns], dtype, byteStrides });
const LAYOUTS = {
  'turned f4': [side('<f4', [256, 4]), side('<f4', [4, 512])],
  'every second u2': [side('<u2', [128, 2]), side('<u2', [256, 4])],
  'turned f8 to i2': [side('<i2', [128, 2]), side('<f8', [8, 1024])],
};

const queue = sycl.createQueue();
const blocks = [sycl.empty([2 ** 20], 'uint8'), sycl.empty([2 ** 20], 'uint8')];
await sycl.copy(blocks[0], blocks[1], { queue });
queue.synchronizeSync();

const copier = (sides) => {
  const [to, from] = sides.map((one, index) => {
    const { pointer, memory } = blocks[index];
    return makeDescriptor({ ...one, pointer, owner: memory });
  });
  return async () => {
    await sycl.copy(to, from, { queue, casting: 'unsafe' });
    queue.synchronizeSync();
  };
};

const first = await nanoseconds(copier(LAYOUTS['turned f4']));
const elements = {};
for (const [name, sides] of Object.entries(LAYOUTS)) {
  const copy = copier(sides);
  await copy();
  await sycl.whenKernelsReady();
  elements[name] = (await perAwaitedCall(COUNT, copy)) / (rows * columns);
}
console.log(JSON.stringify({ first, elements }));
