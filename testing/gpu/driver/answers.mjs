import { cuda } from '@array-interface/cuda';
import { foreign } from './foreign.mjs';

// The driver's answers, as plain data, so that drivers can be compared with one another and with the
// simulator. Nothing here depends on addresses, sizes or the number of devices.
const LENGTH = 1 << 16;
const KINDS = ['device', 'shared', 'host'];

/** The code of the error that `act` throws or rejects with, and the driver's name for it; "none" if there is none. */
async function failure(act) {
  try {
    await act();
    return 'none';
  } catch (error) {
    return [error.code, error.driverCode].filter((part) => part !== undefined).join(' ');
  }
}

function pointer(array, offset = 0) {
  const { memoryKind, device, hostAccessible, allocation } = cuda.inspectPointer(
    array.pointer + BigInt(offset),
  );
  const begins = allocation === null ? null : allocation.pointer === array.pointer;
  const holds = allocation === null ? null : allocation.byteLength >= LENGTH;
  return { memoryKind, device, hostAccessible, begins, holds };
}

async function pointers() {
  const answers = {};
  for (const memoryKind of KINDS) {
    const array = cuda.empty([LENGTH], 'uint8', { memoryKind });
    answers[memoryKind] = pointer(array);
    answers[`${memoryKind}, inside`] = pointer(array, LENGTH / 2);
    array[Symbol.dispose]();
  }
  return answers;
}

async function errors() {
  const array = cuda.empty([LENGTH], 'uint8');
  const beyond = foreign(array, { shape: [2 ** 40] });
  const nowhere = foreign(array, { data: [0x1000n, false] });
  const answers = {
    'more memory than there is': await failure(() => cuda.empty([2 ** 50], 'uint8')),
    'an array beyond its allocation': await failure(() => cuda.asArray(beyond)),
    'an address of nobody': await failure(() => cuda.asArray(nowhere)),
    'a device beyond the last': await failure(() => cuda.empty([1], 'uint8', { device: 1000 })),
  };
  array[Symbol.dispose]();
  return answers;
}

async function streams() {
  const stream = cuda.createStream();
  const array = cuda.empty([LENGTH], 'uint8', { queue: stream });
  const fresh = stream.query();
  await cuda.fill(array, 1, { queue: stream });
  const event = stream.record();
  await event.synchronize();
  const answers = {
    'a fresh stream is idle': fresh,
    'an event that was waited for is reached': event.query(),
    'its stream is idle': stream.query(),
    'the legacy stream is idle after it': cuda.stream(1n).query(),
    'the stream of the thread is idle after it': cuda.stream(2n).query(),
  };
  for (const one of [array, stream]) one[Symbol.dispose]();
  return answers;
}

/** What the driver of this process answers about pointers, mistakes and streams. */
export async function answersOfDriver() {
  return { pointers: await pointers(), errors: await errors(), streams: await streams() };
}
