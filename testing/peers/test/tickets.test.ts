import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { afterAll, describe, expect, test } from 'vitest';
import { Python, pythonOf, simulator } from './python.js';

process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath; // before the driver is loaded, at first use

const peer = new Python('ticket_peer', [...simulator, pythonOf('cuda')], {
  CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING: '1',
});
afterAll(() => peer[Symbol.asyncDispose]());

const VALUES = Float32Array.from({ length: 24 }, (_, i) => i);

describe('tickets between Node and Python', () => {
  test('Numba runs kernels on an array of ours, one after the other, and we see what they did', async () => {
    using array = await cuda.array(VALUES);
    const ticket = cuda.share(array);
    await peer.call('work_on', ticket, 1);
    await peer.call('work_on', ticket, 10);
    const expected = VALUES.map((value) => 2 * (2 * value + 1) + 10);
    expect(await cuda.toTypedArray(array)).toEqual(expected);
    await peer.call('finish');
  });

  test("cuda.core's StridedMemoryView is after our pending work, on a stream of its own", async () => {
    using array = await cuda.array(VALUES);
    const ticket = cuda.share(array.slice([[8, 24]]).broadcastTo([16])); // read-only
    cuda.fill(array, 5); // pending: the simulator is lazy
    expect(await peer.call('view_with_core', ticket)).toEqual({
      shape: [16],
      readOnly: true,
      dtype: '<f4',
      values: Array(16).fill(5),
    });
    await peer.call('finish');
  });

  test("we work on Numba's array, and Numba sees what we did", async () => {
    const ticket = await peer.call<Parameters<typeof cuda.openShared>[0]>('make_ticket', 24);
    {
      using array = cuda.openShared(ticket);
      expect(await cuda.toTypedArray(array)).toEqual(VALUES.map((value) => 2 * value + 1));
      cuda.fill(array, 7);
      await array.synchronize();
    }
    expect(await peer.call('values')).toEqual(Array(24).fill(7));
  });
});
